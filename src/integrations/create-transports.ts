import { callRpc, RpcError } from '../lib/formats/json-rpc.js'
import { FetchError } from '../lib/http/fetch-error.js'
import type { SafeFetch } from '../lib/http/safe-fetch.js'
import { MailError } from '../lib/mail/mail-error.js'
import type { Mailer } from '../lib/mail/mailer.js'
import { CommandError, type RunCommand } from '../lib/run-command.js'
import { DeliveryError } from './integration.js'
import type { Transports } from './transports.js'

/** The transports of the process; `mailer` is null without a mail server. */
export interface ProcessTransports {
  fetch: SafeFetch
  mailer: Mailer | null
  run: RunCommand
}

/**
 * Creates the transports for one delivery. They throw `DeliveryError`, or the reason of `signal` when it aborts, because
 * that is not the receiver's fault. `begins` is called just before something is sent.
 */
export function createTransports(
  { fetch, mailer, run }: ProcessTransports,
  signal?: AbortSignal,
  begins: () => void = () => {},
): Transports {
  return {
    http: request => fetch(request, signal, begins).catch(asDeliveryError),
    async mail(message) {
      if (mailer === null) throw new DeliveryError('No mail server is set up (EMAIL_HOST)')
      begins()
      // One attempt: the dispatcher retries with growing pauses, without blocking other deliveries.
      await mailer.send(message, signal, { once: true }).catch(asDeliveryError)
    },
    async run(command, variables = {}) {
      begins()
      return await run({ command, variables }, signal).catch(asDeliveryError)
    },
    async rpc(request) {
      begins()
      return await callRpc(request, signal).catch(asDeliveryError)
    },
  }
}

function asDeliveryError(error: unknown): never {
  if (error instanceof FetchError || error instanceof CommandError || error instanceof RpcError) {
    throw new DeliveryError(error.message)
  }
  if (error instanceof MailError)
    throw new DeliveryError(error.message, { unknownRecipient: error.badRecipient })
  throw error
}
