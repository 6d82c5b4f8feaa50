/**
 * Uptime Kuma's push monitors. Source: `/api/push/:pushToken` in `server/routers/api-router.js` of
 * https://github.com/louislam/uptime-kuma (versions 1.23 and 2).
 */
import { isPushToken } from '../../core/checks/push-token.js'
import { Refusal } from '../../core/errors.js'
import { isUuid } from '../../core/text/uuid.js'
import { rawBody } from '../api/admit.js'
import { respond } from '../responses.js'
import { type Foreign, recordForeign } from './foreign.js'

const PUSH = /^\/api\/push\/([^/?]*)\/?(?:\?|$)/
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH']
/** The body of a push says nothing and is dropped, in bytes. */
const BODY_LIMIT = 65_536
const LONGEST_PING_MS = 86_400_000

export const uptimeKuma: Foreign = {
  paths: PUSH,
  errorShape: msg => ({ ok: false, msg }),
  async answer(parts, request, incoming) {
    const { pathname, search, searchParams } = new URL(request.url)
    if (!METHODS.includes(request.method)) {
      return respond(405, '{"ok":false,"msg":"Push with GET or POST."}', 'application/json', {
        Allow: METHODS.join(', '),
      })
    }
    await rawBody(incoming, BODY_LIMIT, 0)
    const token = PUSH.exec(pathname + search)![1]!
    const ping = pingIn(searchParams)
    const isKnown = isUuid(token) || isPushToken(token)
    const uuid = isKnown
      ? await parts.lookUp(store => store.projects.findByPushToken({ protocol: 'uptime-kuma', token }))
      : null
    if (uuid === null) throw new Refusal('not-found', 'Monitor not found or not active.')
    parts.noteKnown()
    await recordForeign(parts, incoming, { target: { uuid }, ...ping })
    return respond(200, '{"ok":true}', 'application/json')
  },
}

/** What a push says. As at Uptime Kuma, no status is `up`, and any other than `up` is a failure. */
function pingIn(query: URLSearchParams) {
  const [status, msg, ping] = ['status', 'msg', 'ping'].map(name => onlyValue(query, name))
  return {
    action: (status || 'up') === 'up' ? ('success' as const) : ('fail' as const),
    durationMs: durationIn(ping!),
    body: msg ? Buffer.from(msg) : null,
  }
}

function onlyValue(query: URLSearchParams, name: string): string {
  const values = query.getAll(name)
  if (values.length > 1 || [...query.keys()].some(key => key.startsWith(`${name}[`))) {
    throw new Refusal('invalid', `Send ${name} once.`)
  }
  return values[0] ?? ''
}

function durationIn(ping: string): number | null {
  if (ping === '') return null
  const ms = Number(ping)
  if (!(ms >= 0 && ms <= LONGEST_PING_MS)) {
    throw new Refusal('invalid', 'Invalid ping value: send milliseconds, at most 86400000.')
  }
  return Math.round(ms)
}
