/**
 * Sentry Crons: check-ins by HTTP and in envelopes. Sources: https://docs.sentry.io/product/crons/getting-started/http/,
 * https://develop.sentry.dev/sdk/telemetry/check-ins/ and the endpoints of https://github.com/getsentry/relay.
 */
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyChanges } from '../../core/checks/check-changes.js'
import type { Settings } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import type { Actor } from '../../lib/actor.js'
import { actingStore } from '../../storage/events/acting.js'
import { rawBody } from '../api/admit.js'
import { parseJsonBody } from '../api/json-body.js'
import { announcesAtMost, LARGEST_BODY, READ_AT_ONCE } from '../body.js'
import { addressOf } from '../client.js'
import { parseNewCheck } from '../native/checks/check-changes.js'
import { FieldRefusal } from '../native/problem.js'
import { respond } from '../responses.js'
import { decodedBody, readEnvelope } from './envelope.js'
import { type Foreign, type ForeignParts, recordForeign } from './foreign.js'
import { monitorSlug, nameInPath } from './monitor-slug.js'
import { type CheckIn, parseCheckIn, settingsOf } from './sentry-check-in.js'

const BY_HTTP = /^\/api\/\d+\/cron\/([^/?]+)(?:\/([^/?]+))?\/?(?:\?|$)/
const BY_ENVELOPE = /^\/api\/\d+\/envelope\/?(?:\?|$)/
const PING_KEY = /^[-a-zA-Z0-9_]{1,100}$/
const MOST_CHECK_INS = 100
/** The maximum size, unpacked, of an envelope whose key is in its header line, in bytes. */
const KEYLESS_LIMIT = 65_536
/** How often, and after how long, an end looks for the check that its beginning makes. */
const LOOKS = 8
const BETWEEN_LOOKS_MS = 250

const ACTIONS = { in_progress: 'start', ok: 'success', error: 'fail' } as const

export const sentry: Foreign = {
  paths: new RegExp(`${BY_HTTP.source}|${BY_ENVELOPE.source}`),
  errorShape: detail => ({ detail }),
  async answer(parts, request, incoming) {
    const { pathname, search, searchParams } = new URL(request.url)
    const byHttp = BY_HTTP.exec(pathname + search)
    if (request.method !== 'POST' && !(byHttp && request.method === 'GET')) {
      return respond(405, null, 'text/plain', { Allow: byHttp ? 'GET, POST' : 'POST' })
    }
    const key = byHttp?.[2] ?? keyIn(request.headers) ?? searchParams.get('sentry_key')
    // A key in the request decides before its body is read.
    if (key !== null || byHttp) await assertAccepted(parts, key)
    else if (!announcesAtMost(incoming, READ_AT_ONCE)) await parts.anonymous.turn(incoming)
    const limit = key === null ? KEYLESS_LIMIT : LARGEST_BODY
    const sent = request.method === 'POST' ? await rawBody(incoming, limit) : new Uint8Array()
    const body = await decodedBody(sent, incoming.headers['content-encoding'], limit)
    if (byHttp) {
      const isJson = request.headers.get('Content-Type')?.startsWith('application/json') ?? false
      const said = isJson ? parseJsonBody(body) : inQuery(searchParams)
      const checkIn = parseCheckIn({ ...said, monitor_slug: nameInPath(byHttp[1]!) })
      await checkedIn(parts, incoming, key, checkIn)
      return respond(202, null, 'text/plain')
    }
    const { header, items } = readEnvelope(body)
    const pingKey = key ?? keyOfDsn(header.dsn)
    if (key === null) await assertAccepted(parts, pingKey)
    const checkIns = items()
      .filter(({ type }) => type === 'check_in')
      .map(({ payload }) => parseCheckIn(payload()))
    if (checkIns.length > MOST_CHECK_INS) throw new Refusal('invalid', 'too many check-ins in one envelope')
    for (const checkIn of checkIns) await checkedIn(parts, incoming, pingKey, checkIn)
    const id = typeof header.event_id === 'string' ? { id: header.event_id } : {}
    return respond(200, JSON.stringify(id), 'application/json')
  },
}

/** Throws a `Refusal` unless a project that accepts the protocol has the key. */
async function assertAccepted({ lookUp, noteKnown }: ForeignParts, pingKey: string | null): Promise<void> {
  const isKey = pingKey !== null && PING_KEY.test(pingKey)
  const asked = { protocol: 'sentry', pingKey: pingKey ?? '' } as const
  if (!isKey || !(await lookUp(store => store.projects.acceptsProtocol(asked)))) throw unknownKey()
  noteKnown()
}

function unknownKey(): Refusal {
  return new Refusal('forbidden', 'no project that accepts Sentry Crons has this ping key as its public key')
}

/** Makes or changes the check if the check-in says how it is to be, and pings it. */
async function checkedIn(
  parts: ForeignParts,
  incoming: IncomingMessage,
  pingKey: string | null,
  checkIn: CheckIn,
): Promise<void> {
  const slug = monitorSlug(checkIn.monitor_slug, checkIn.environment ?? '', 'monitor_slug')
  const found = await findTarget(parts, pingKey, slug, checkIn)
  if (!found || pingKey === null) throw unknownKey()
  const { projectId, check } = found
  if (check === 'ambiguous') throw new Refusal('conflict', `several checks have the slug ${slug}`)
  const wanted = checkIn.monitor_config ? settingsOf(checkIn.monitor_config) : null
  if (!check && !wanted) {
    throw new Refusal('not-found', `no check has the slug ${slug}: create it, or send a monitor_config`)
  }
  const actor = { kind: 'key', id: pingKey.slice(0, 4), name: 'Sentry Crons' } as const
  const address = addressOf(parts.config, incoming)
  const uuid = await configured(parts, { ...actor, address }, projectId, { slug, check, wanted })
  await recordForeign(parts, incoming, {
    target: { uuid },
    action: ACTIONS[checkIn.status],
    rid: checkIn.check_in_id,
    durationMs: checkIn.durationMs,
  })
}

/**
 * What a check-in is about; null if no project that accepts the protocol has the key. SDKs send the beginning and the
 * end of a short run at the same time on two connections, and only the beginning says how the check is to be: an end that
 * is first waits for it.
 */
async function findTarget(
  { lookUp }: ForeignParts,
  pingKey: string | null,
  slug: string,
  { check_in_id, status, monitor_config }: CheckIn,
) {
  if (pingKey === null || !PING_KEY.test(pingKey)) return null
  const find = () => lookUp(store => store.projects.findByProtocol({ protocol: 'sentry', pingKey, slug }))
  const mayComeFirst = check_in_id !== null && status !== 'in_progress' && !monitor_config
  let found = await find()
  for (let looks = 0; mayComeFirst && found?.check === null && looks < LOOKS; looks++) {
    await sleep(BETWEEN_LOOKS_MS)
    found = await find()
  }
  return found
}

/** The UUID of the check, which now has the settings that are wanted. */
async function configured(
  { lookUp, clock }: ForeignParts,
  actor: Actor,
  projectId: number,
  asked: { slug: string; check: { uuid: string; settings: Settings } | null; wanted: object | null },
): Promise<string> {
  const { slug, check, wanted } = asked
  if (check && !wanted) return check.uuid
  const { changes, unique } = parsed({ ...wanted, slug, unique: ['slug'] })
  const now = clock.now()
  if (!check) {
    const fresh = { changes: { ...changes, name: slug }, channels: '*', unique, now }
    return (await lookUp(store => actingStore(store, actor).checks.create(projectId, fresh))).check.uuid
  }
  const before: Record<string, unknown> = { ...check.settings }
  const isNew = Object.entries(applyChanges(check.settings, changes)).some(([name, v]) => v !== before[name])
  if (isNew)
    await lookUp(store => actingStore(store, actor).checks.update(projectId, check.uuid, { changes, now }))
  return check.uuid
}

/** The settings in a body, or a refusal that says what is wrong with them. */
function parsed(body: object) {
  try {
    return parseNewCheck(body)
  } catch (error) {
    if (!(error instanceof FieldRefusal)) throw error
    throw new Refusal('invalid', `monitor_config: ${error.errors.map(({ detail }) => detail).join('; ')}`)
  }
}

function inQuery(query: URLSearchParams): Record<string, unknown> {
  const duration = query.get('duration')
  return { ...Object.fromEntries(query), ...(duration !== null && { duration: Number(duration) }) }
}

/** The key in `X-Sentry-Auth: Sentry sentry_key=…, sentry_version=7`, or in `Authorization`. */
function keyIn(headers: Headers): string | null {
  const text = headers.get('X-Sentry-Auth') ?? headers.get('Authorization') ?? ''
  return /^sentry\s.*?\bsentry_key=([^,\s]+)/i.exec(text)?.[1] ?? null
}

function keyOfDsn(dsn: unknown): string | null {
  return typeof dsn === 'string' && URL.canParse(dsn) ? new URL(dsn).username : null
}
