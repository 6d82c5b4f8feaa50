import { Refusal } from '../core/errors.js'
import { toJson } from '../core/wire/json.js'
import { settleRefusal } from './api/settle-refusal.js'
import type { ApiKeys } from './auth.js'
import { respondCompressed } from './compress.js'
import type { AppDeps, Bindings } from './deps.js'
import { failureOf } from './errors.js'
import { baseHeaders, respond, TEXT } from './responses.js'

/**
 * A project's metrics for Prometheus. Requires the read-only key in the path or as a bearer token. The UUID in the path
 * is ignored. Source: docs/behaviour.md, section 4.9.
 */
export async function servePrometheus(
  deps: AppDeps,
  keys: ApiKeys,
  request: Request,
  incoming: Bindings['incoming'],
  keyInPath: string | undefined,
): Promise<Response> {
  if (!deps.config.PROMETHEUS_ENABLED) return refuse(404, 'not found')
  const key = keyInPath ?? bearerToken(request.headers.get('Authorization'))
  if (key === null) return refuse(401, 'missing api key')
  if (key.length !== 32) return refuse(400, 'an api key has 32 characters')
  const access = await keys.find(key)
  if (access?.kind !== 'ro') {
    const error = new Refusal('unauthorized', 'wrong api key')
    const refused = await settleRefusal(deps, request, incoming, { error, route: '/projects/:uuid/metrics/' })
    if (refused === error) return refuse(403, error.message)
    const { status, message, headers } = failureOf(refused, deps.onError)
    return refuse(status, message, headers)
  }
  const text = await deps.store.checks.showPrometheus(access.projectId, deps.clock.now())
  const headers = { ...baseHeaders, 'Cache-Control': 'no-store', 'Content-Type': TEXT }
  return await respondCompressed(request.headers.get('Accept-Encoding'), 200, text, headers)
}

function bearerToken(header: string | null): string | null {
  return header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : null
}

function refuse(status: number, error: string, headers = {}): Response {
  return respond(status, toJson({ error }), 'application/json', { ...baseHeaders, ...headers })
}
