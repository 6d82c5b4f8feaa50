/** The transports with which integrations send. */

import type { RpcReply, RpcRequest } from '../lib/formats/json-rpc.js'
import type { SafeAnswer, SafeRequest } from '../lib/http/safe-request.js'
import type { Mail } from '../lib/mail/mailer.js'
import type { CommandResult } from '../lib/run-command.js'

export type HttpRequest = SafeRequest
export type HttpAnswer = SafeAnswer

/** The guarded transports, made by create-transports.ts. Each throws `DeliveryError` when it fails. */
export interface Transports {
  /**
   * The guarded HTTP client: refuses private addresses unless allowed, checks redirects, and limits size and time.
   * Resolves with any response, including error statuses; see `expectOk`.
   */
  http(request: HttpRequest): Promise<HttpAnswer>
  mail(message: Mail): Promise<void>
  /** Runs a command in the system's shell with `variables` in its environment; see lib/run-command.ts. */
  run(command: string, variables?: Readonly<Record<string, string>>): Promise<CommandResult>
  /** Calls the operator's JSON-RPC server over a socket; see lib/json-rpc.ts. */
  rpc(request: RpcRequest): Promise<RpcReply>
}
