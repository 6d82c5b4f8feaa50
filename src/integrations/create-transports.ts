import { FetchError } from '../lib/http/fetch-error.js'
import type { SafeFetch } from '../lib/http/safe-fetch.js'
import { callRpc, RpcError } from '../lib/json-rpc.js'
import { MailError } from '../lib/mail/mail-error.js'
import type { Mailer } from '../lib/mail/mailer.js'
import { CommandError, type RunCommand } from '../lib/run-command.js'
import { DeliveryError } from './integration.js'
import type { Transports } from './transports.js'

/** What the process has to send with; without a mail server `mailer` is null. */
export interface ProcessTransports {
  fetch: SafeFetch
  mailer: Mailer | null
  run: RunCommand
}

/**
 * The transports for one delivery. Failures are `DeliveryError`s, except that an abort through `signal` throws
 * its reason: that is no fault of the receiver's. `begins` is called just before something is sent.
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
      // The dispatcher tries again, after a second first and then with growing pauses, and others have their turn.
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
  if (error instanceof MailError) throw new DeliveryError(error.message, { permanent: error.badRecipient })
  throw error
}
