import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { withExample } from '../options.js'
import { print } from '../print.js'

export function addSignalCaptcha(parent: Command): void {
  const command = parent
    .command('captcha')
    .argument('<challenge>', 'the challenge from the failed notification')
    .argument('<captcha>', 'the address of the “Open Signal” link after solving the CAPTCHA')
    .description('Submit a solved CAPTCHA to Signal, so that it accepts messages again')
    .action(submit)
  withExample(command, 'punctual signal captcha 2fc05128-… signalcaptcha://…')
}

async function submit(challenge: string, captcha: string): Promise<void> {
  const [{ readConfig }, { callRpc, RpcError }, { newUuid }] = await Promise.all([
    import('../read-config.js'),
    import('../../lib/formats/json-rpc.js'),
    import('../../lib/secrets/secrets.js'),
  ])
  const { operator } = await readConfig()
  const address = operator.SIGNAL_CLI_SOCKET ?? ''
  if (address === '') throw new Refusal('invalid', 'SIGNAL_CLI_SOCKET must be set')
  const call = { address, method: 'submitRateLimitChallenge', params: { challenge, captcha }, id: newUuid() }
  const reply = await callRpc(call).catch(error => {
    if (error instanceof RpcError) throw new Refusal('unavailable', `signal-cli: ${error.message}`)
    throw error
  })
  if ('error' in reply) throw new Refusal('unavailable', `signal-cli answered: ${reply.error.message}`)
  print('Signal accepted the CAPTCHA. Waiting messages are retried automatically.')
}
