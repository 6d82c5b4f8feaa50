import { z } from 'zod'
import { DeliveryError, type Destination } from '../../integration.js'
import type { Transports } from '../../transports.js'
import type { SignalMessage } from './signal-message.js'

/** The results per recipient in an error of signal-cli. */
const failure = z.object({
  response: z.object({ results: z.array(z.object({ type: z.string(), token: z.string().nullish() })) }),
})

/** Sends one message through signal-cli. Throws `DeliveryError`, which is permanent if the recipient does not exist. */
export async function sendSignal(
  to: Pick<Destination, 'settings' | 'operator' | 'idempotencyKey'>,
  { message, textStyle }: SignalMessage,
  transports: Pick<Transports, 'rpc'>,
): Promise<void> {
  const address = to.operator.SIGNAL_CLI_SOCKET ?? ''
  if (address === '') throw new DeliveryError('Signal notifications are not enabled')
  const value = to.settings.value!
  const recipient = value.startsWith('+') ? value : `u:${value}`
  const params = { recipient: [recipient], message, textStyle }
  const reply = await transports.rpc({ address, method: 'send', params, id: to.idempotencyKey })
  if ('error' in reply) throw sendFailure(reply.error)
}

function sendFailure({ data }: { data: unknown }): DeliveryError {
  const results = failure.safeParse(data).data?.response.results ?? []
  const of = (type: string) => results.find(result => result.type === type)
  if (of('UNREGISTERED_FAILURE')) return new DeliveryError('Recipient not found', { permanent: true })
  const challenge = (of('RATE_LIMIT_FAILURE') ?? of('PROOF_REQUIRED_FAILURE'))?.token
  if (challenge) return new DeliveryError(`CAPTCHA proof required (challenge ${challenge.slice(0, 100)})`)
  if (of('RATE_LIMIT_FAILURE')) return new DeliveryError('Signal limits how much may be sent')
  const type = results.find(result => result.type !== 'SUCCESS')?.type ?? ''
  return new DeliveryError(
    /^[A-Z_]{1,50}$/.test(type) ? `signal-cli could not send: ${type}` : 'signal-cli could not send',
  )
}
