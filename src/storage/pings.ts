/** Taking in pings: a batch becomes log rows, new states, flips and deliveries in one transaction. */
import { DEFAULT_SETTINGS } from '../core/check-changes.js'
import {
  type Action,
  applyPing,
  classifyHttp,
  classifyMail,
  type MailRules,
  type MailSignal,
  readsMail,
} from '../core/ping.js'
import { lockProject } from './checks.js'
import type { Db } from './db.js'
import type { LoadedCheck, PingRow, SlugMatch } from './dialect.js'
import { insertFlips, type NewFlip } from './flips.js'
import { copyOf } from './hot-rows.js'
import { textRulesOf } from './keywords.js'
import { autoProvision } from './provision.js'
import { pruneChecks } from './prune.js'
import { bringForward } from './states.js'
import { insertUploads, partLargeBodies } from './uploads.js'

/** A ping as it came in. */
export interface ArrivedPing {
  target: { uuid: string } | { pingKey: string; slug: string; create: boolean }
  /** Milliseconds UTC, and a counter (0-999) that orders pings of the same millisecond. */
  arrivedAt: number
  arrivedUs: number
  action: Exclude<Action, 'ign'>
  exitStatus: number | null
  rid: string | null
  /** What is wrong with the request where that is answered only for a check that exists. */
  invalid: 'url' | 'rid' | null
  scheme: string
  remoteAddr: string | null
  method: string
  ua: string
  body: Uint8Array | null
  /** Of an e-mail: what it says, or null where it was not read yet. Absent for other pings. */
  mail?: MailSignal | null
}

/**
 * What became of a ping. `unread`: nothing was recorded, since the check looks into e-mails and this one was not
 * read. `failed`: a bug in the rules for this check; the others of its batch were recorded.
 */
export type PingOutcome =
  | 'ok'
  | 'created'
  | 'not-found'
  | 'ambiguous'
  | 'invalid-url'
  | 'invalid-rid'
  | 'unread'
  | 'failed'

export interface RecordedPings {
  /** One for each ping, in their order; `refused` for those that were not recorded because of `refusal`. */
  outcomes: (PingOutcome | 'refused')[]
  /** Whether a delivery was born, so that the dispatcher need not wait. */
  alerts: boolean
  /** The earliest deadline that this batch brought forward, or null. */
  wakeAt: number | null
  /** What the rules threw, for the log. */
  errors: string[]
  /** What the database said to some of the pings after it had recorded others. Absent when it said so to none. */
  refusal?: Error
}

type NewPing = PingRow & { checkUuid: string }

/** A check of the batch, changed ping by ping. */
export interface Working {
  check: LoadedCheck
  /** The check as it was before the batch. */
  before: LoadedCheck
}

/** A ping's check, and whether this ping made it. */
interface Found {
  working: Working
  created: boolean
}

/** What a batch writes, before any of it is written. */
export interface PingPlan {
  touched: Working[]
  rows: NewPing[]
  flips: NewFlip[]
  result: RecordedPings
}

/**
 * Records a batch in the order given. Pings of the same check are folded: one row written, every log row,
 * every flip. Each outcome is told only after the commit.
 */
export async function recordPings(db: Db, pings: readonly ArrivedPing[]): Promise<RecordedPings> {
  const found = await find(db, pings)
  const texts = await textRulesOf(db, looksAtTexts(found, pings))
  const plan = planPings(found, pings, texts)
  await save(db, plan)
  return plan.result
}

/**
 * What pings write whose checks are all among those that `known` gives by their UUID, or null where one is not, or
 * where more has to be asked of the database, or written, than the checks' states and their logs.
 */
export function planOfKnown(
  known: (uuid: string) => LoadedCheck | undefined,
  pings: readonly ArrivedPing[],
): PingPlan | null {
  const workings = new Map<string, Working>()
  const found: Found[] = []
  for (const { target } of pings) {
    if (!('uuid' in target)) return null
    let working = workings.get(target.uuid)
    if (!working) {
      const check = known(target.uuid)
      if (!check) return null
      working = { check, before: check }
      workings.set(target.uuid, working)
    }
    found.push({ working, created: false })
  }
  // E-mails above all: those come in groups, which are recorded whole or not at all.
  if (looksAtTexts(found, pings).length > 0) return null
  const plan = planPings(found, pings, new Map())
  const allOk = plan.rows.length > 0 && plan.result.outcomes.every(outcome => outcome === 'ok')
  const isPlain = allOk && plan.flips.length === 0
  return isPlain ? plan : null
}

function planPings(
  found: readonly (Found | PingOutcome)[],
  pings: readonly ArrivedPing[],
  texts: ReadonlyMap<number, MailRules>,
): PingPlan {
  const touched = new Set<Working>()
  const rows: NewPing[] = []
  const flips: NewFlip[] = []
  const result: RecordedPings = { outcomes: [], alerts: false, wakeAt: null, errors: [] }
  for (const [index, ping] of pings.entries()) {
    const match = found[index]!
    if (typeof match === 'string') {
      result.outcomes.push(match)
      continue
    }
    if (ping.invalid) {
      result.outcomes.push(`invalid-${ping.invalid}`)
      continue
    }
    const { working, created } = match
    // Where texts are not looked at, no rule of theirs is needed.
    const rules = texts.get(working.check.id) ?? DEFAULT_SETTINGS
    if (ping.mail === null && readsMail(rules)) {
      result.outcomes.push('unread')
      continue
    }
    try {
      const action = actionOf(working.check, rules, ping)
      const check = copyOf(working.check)
      const effect = applyPing(check, action, ping.rid, ping.arrivedAt)
      check.confirmationLink = ping.body !== null && mentionsConfirmation(ping.body)
      working.check = check
      rows.push(logRow(check, ping, effect.action, effect.at))
      if (effect.flip) flips.push({ checkId: check.id, flip: effect.flip })
      touched.add(working)
      result.outcomes.push(created ? 'created' : 'ok')
    } catch (error) {
      result.outcomes.push('failed')
      result.errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }
  return { touched: [...touched], rows, flips, result }
}

/** Of the checks that a plan touches those whose log has grown too long. */
export function overgrown({ touched }: PingPlan, pingLogLimit: number): number[] {
  // Each check has its turn once in a hundred pings.
  const passed = touched.filter(
    ({ check, before }) => Math.floor(before.nPings / 100) !== Math.floor(check.nPings / 100),
  )
  return passed.filter(({ check }) => check.nPings > pingLogLimit).map(({ check }) => check.id)
}

async function save(db: Db, plan: PingPlan): Promise<void> {
  const { touched, rows, flips, result } = plan
  if (touched.length === 0) return
  const checks = touched.map(working => working.check)
  const { woken, wakeAt } = bringForward(checks)
  result.wakeAt = wakeAt
  const toPrune = overgrown(plan, db.settings.pingLogLimit)
  const { log, uploads } = partLargeBodies(db, rows)
  // Waited for: a query that is still being built would go out after the commit.
  await insertUploads(db, uploads)
  const logged = db.dialect.insertPings(log)
  // SQLite may have rolled everything back: what came after that would be committed on its own.
  if (!db.leave) await logged
  // Sent together: on PostgreSQL they share the way there and back.
  const written = Promise.all([logged, db.dialect.saveStates(checks, woken)])
  if (db.leave && flips.length === 0 && toPrune.length === 0) return db.leave(written)
  await written
  const now = Math.max(...rows.map(row => row.created_at))
  result.alerts = await insertFlips(db, flips, now)
  await pruneChecks(db, toPrune, now)
}

/** For each ping its check, or why there is none. Checks that `create=1` asks for are made on the way. */
async function find(db: Db, pings: readonly ArrivedPing[]): Promise<(Found | PingOutcome)[]> {
  const bySlug = pings.flatMap(ping => ('slug' in ping.target ? [ping.target] : []))
  const slugMatch = await matchSlugs(db, bySlug)
  const createdHere = new Map<string, string>()
  const targets: ({ uuid: string; created: boolean } | PingOutcome)[] = []
  for (const { target, arrivedAt } of pings) {
    if ('uuid' in target) {
      targets.push({ uuid: target.uuid, created: false })
      continue
    }
    const { projectId, uuids } = slugMatch.get(target)!
    const key = `${target.pingKey} ${target.slug}`
    const known = uuids[0] ?? createdHere.get(key)
    if (uuids.length > 1) targets.push('ambiguous')
    else if (known !== undefined) targets.push({ uuid: known, created: false })
    else if (projectId === null || !target.create) targets.push('not-found')
    else if (target.slug.length > 100) targets.push('invalid-url')
    else {
      const uuid = await autoProvision(db, projectId, target.slug, arrivedAt)
      if (uuid !== null) createdHere.set(key, uuid)
      targets.push(uuid === null ? 'not-found' : { uuid, created: true })
    }
  }
  const uuids = new Set<string>()
  for (const target of targets) if (typeof target !== 'string') uuids.add(target.uuid)
  const loaded = new Map<string, Working>()
  for (const check of await db.dialect.loadChecks([...uuids])) {
    loaded.set(check.uuid, { check, before: check })
  }
  return targets.map(target => {
    if (typeof target === 'string') return target
    const working = loaded.get(target.uuid)
    return working ? { working, created: target.created } : 'not-found'
  })
}

type SlugTarget = Extract<ArrivedPing['target'], { slug: string }>

/**
 * What each target names. Where a check is to be made, its project is held first: another process that makes
 * the same check has then either made it, or waits and will find ours.
 */
async function matchSlugs(db: Db, targets: SlugTarget[]): Promise<Map<SlugTarget, SlugMatch>> {
  const matches = new Map<SlugTarget, SlugMatch>()
  const look = async (some: SlugTarget[]) => {
    if (some.length === 0) return
    for (const [index, match] of (await db.dialect.findBySlug(some)).entries())
      matches.set(some[index]!, match)
  }
  await look(targets)
  const projects = new Set<number>()
  const toMake = targets.filter(target => {
    const { projectId, uuids } = matches.get(target)!
    if (!target.create || projectId === null || uuids.length > 0) return false
    projects.add(projectId)
    return true
  })
  for (const projectId of [...projects].sort((a, b) => a - b)) await lockProject(db, projectId)
  await look(toMake)
  return matches
}

/** The checks of which some ping here has to be told apart by what it says. */
function looksAtTexts(found: readonly (Found | PingOutcome)[], pings: readonly ArrivedPing[]): number[] {
  const ids = found.flatMap((match, index) => {
    if (typeof match === 'string') return []
    const { check } = match.working
    return check.filterHttpBody || pings[index]!.mail !== undefined ? [check.id] : []
  })
  return [...new Set(ids)]
}

function actionOf(check: LoadedCheck, rules: MailRules, ping: ArrivedPing): Action {
  if (ping.mail !== undefined) {
    return classifyMail(rules, check.filterDefaultFail, ping.mail ?? { subject: '', body: '' })
  }
  return classifyHttp(check, rules, ping, () => new TextDecoder().decode(ping.body ?? undefined))
}

function logRow(check: LoadedCheck, ping: ArrivedPing, action: Action, at: number): NewPing {
  return {
    checkUuid: check.uuid,
    check_id: check.id,
    n: check.nPings,
    created_at: at,
    created_us: ping.arrivedUs,
    kind: action,
    scheme: ping.scheme,
    remote_addr: ping.remoteAddr,
    method: ping.method,
    ua: ping.ua,
    rid: ping.rid,
    exit_status: ping.exitStatus,
    body: ping.body,
    object_size: null,
  }
}

function mentionsConfirmation(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1')
    .toLowerCase()
    .includes('confirm')
}
