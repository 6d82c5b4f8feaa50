/**
 * Cronitor's telemetry events. Sources: https://cronitor.io/docs/telemetry-api, `lib/monitor.js` of the npm package `cronitor`, and
 * `cmd/ping.go` of https://github.com/cronitorio/cronitor-cli.
 */
import type { IncomingMessage } from 'node:http'
import { LONGEST_DURATION_SECONDS } from '../../core/checks/run-fields.js'
import { Refusal } from '../../core/errors.js'
import { rawBody } from '../api/admit.js'
import { respond, TEXT } from '../responses.js'
import { type Foreign, recordForeign } from './foreign.js'
import { monitorSlug, nameInPath } from './monitor-slug.js'
import { runIdOf } from './run-id.js'

/** The documentation has `/p/`; the npm package and the command send to `/ping/`, always with one of these parameters. */
const PATH =
  /^\/(?:p\/([^/?]+)\/([^/?]+)\/?(?:\?|$)|ping\/([^/?]+)\/([^/?]+)\/?\?(?:.*&)?(?:state|metric|stamp)=)/
const PING_KEY = /^[-a-zA-Z0-9_]{1,100}$/
const METHODS = ['GET', 'HEAD', 'POST']
/** The body of an event says nothing and is dropped, in bytes. */
const BODY_LIMIT = 65_536

const ACTIONS = new Map<string, 'start' | 'success' | 'fail'>([
  ['run', 'start'],
  ['complete', 'success'],
  ['ok', 'success'],
  ['tick', 'success'],
  ['', 'success'],
  ['fail', 'fail'],
])

/** Whether a request to a ping address is an event, by its query. Clients of other kinds may send such parameters, which say nothing to a ping. */
export function isFromCronitor({ headers }: IncomingMessage, query: string): boolean {
  return /(?:^|&)(?:state|metric|stamp)=/.test(query) && /^cronitor/i.test(headers['user-agent'] ?? '')
}

export const cronitor: Foreign = {
  paths: PATH,
  async answer(parts, request, incoming) {
    if (!METHODS.includes(request.method)) return respond(405, null, TEXT, { Allow: METHODS.join(', ') })
    await rawBody(incoming, BODY_LIMIT, 0)
    const { pathname, search, searchParams } = new URL(request.url)
    const [pingKey, name] = PATH.exec(pathname + search)!
      .slice(1)
      .filter(part => part !== undefined)
    const event = eventIn(searchParams)
    const slug = monitorSlug(nameInPath(name!), searchParams.get('env') ?? '', 'the key of the monitor')
    const asked = { pingKey: pingKey!, slug }
    const isAccepted =
      PING_KEY.test(pingKey!) &&
      (await parts.lookUp(store => store.projects.findByProtocol({ ...asked, protocol: 'cronitor' }))) !==
        null
    if (!isAccepted) {
      throw new Refusal('forbidden', 'no project that accepts Cronitor has this ping key as its API key')
    }
    parts.noteKnown()
    await recordForeign(parts, incoming, { target: { ...asked, create: true }, ...event })
    return respond(200, 'OK', TEXT)
  },
}

/** What an event says. Throws a `Refusal` that names the first wrong parameter. */
function eventIn(query: URLSearchParams) {
  for (const name of ['state', 'series', 'message', 'msg', 'status_code', 'env']) {
    if (query.getAll(name).length > 1) throw new Refusal('invalid', `${name} is repeated`)
  }
  const action = ACTIONS.get(query.get('state') ?? '')
  if (!action) throw new Refusal('invalid', 'state is none of run, complete, fail, ok and tick')
  const series = query.get('series') ?? ''
  const status = query.get('status_code') ?? ''
  if (!/^(|-?\d{1,10})$/.test(status)) throw new Refusal('invalid', 'status_code is no whole number')
  const code = status === '' ? null : Number(status)
  // A ping with an exit status succeeds or fails by it, while here the state has the say.
  const fits = code !== null && code >= 0 && code <= 255 && (code === 0) === (action !== 'fail')
  const message = query.get('message') || query.get('msg')
  return {
    action,
    exitStatus: fits && action !== 'start' ? code : null,
    rid: series === '' ? null : runIdOf(series),
    durationMs: action === 'start' ? null : durationIn(query),
    body: message ? Buffer.from(message) : null,
  }
}

/** The duration in `metric=duration:SECONDS`, or in `duration`, in milliseconds; null if there is none that is valid. */
function durationIn(query: URLSearchParams): number | null {
  const metrics = query.getAll('metric').map(metric => /^\s*duration\s*[:=](.*)$/.exec(metric)?.[1])
  const text = metrics.find(value => value !== undefined) ?? query.get('duration') ?? ''
  const seconds = text.trim() === '' ? Number.NaN : Number(text)
  return seconds >= 0 && seconds <= LONGEST_DURATION_SECONDS ? Math.round(seconds * 1000) : null
}
