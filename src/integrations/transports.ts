/** What an integration may send with. */

import type { SafeAnswer, SafeRequest } from '../lib/http/safe-request.js'
import type { RpcReply, RpcRequest } from '../lib/json-rpc.js'
import type { Mail } from '../lib/mail/mailer.js'
import type { CommandResult } from '../lib/run-command.js'

export type HttpRequest = SafeRequest
export type HttpAnswer = SafeAnswer

/** The guarded transports, made by create-transports.ts. Each throws `DeliveryError` when it fails. */
export interface Transports {
  /**
   * The one HTTP client: private addresses refused unless allowed, redirects checked, size and time limited.
   * Resolves with whatever answer came, error statuses included; see `expectOk`.
   */
  http(request: HttpRequest): Promise<HttpAnswer>
  mail(message: Mail): Promise<void>
  /** Runs a command through the system's shell, which sees `variables`; see lib/run-command.ts. */
  run(command: string, variables?: Readonly<Record<string, string>>): Promise<CommandResult>
  /** Calls a JSON-RPC server of the operator's over a socket; see lib/json-rpc.ts. */
  rpc(request: RpcRequest): Promise<RpcReply>
}
