/** What must hold after any fault, read from the database, the load's ledger and the received messages. */
import assert from 'node:assert/strict'
import { type RawBuilder, sql } from 'kysely'
import type { Side } from '../../../src/storage/copy/side.js'
import { outagesOf } from '../../../src/storage/instance/outages.js'
import type { Arrival } from './receiver.js'
import { GRACE_SECONDS, type Trial } from './trial.js'

/** What an audit counts. */
export interface Counts {
  acknowledged: number
  refused: number
  unanswered: number
  slowestRefusalMs: number
  alerts: number
  repeated: number
}

const GRACE_MS = GRACE_SECONDS * 1000

/** A ping is refused before its sender gives up. The machine's own time for a request is added several times. */
const REFUSED_WITHIN_MS = 10_000
const TIMES_SLOWEST = 5

/**
 * Throws if something that was acknowledged is missing or exists twice, if a check's state differs from its log and
 * flips, if a message is missing, arrived too often or before its hold was over, or if an answer is not what a fault
 * allows. `mayRepeat`: how many times a message may be repeated.
 */
export async function audit(trial: Trial, mayRepeat: number): Promise<Counts> {
  return await trial.withDatabase(async side => {
    await isWhole(side, trial)
    const answers = auditAnswers(trial)
    await auditLog(side, trial)
    for (const check of trial.busy) await auditCheck(side, check)
    await auditSilence(trial)
    await auditStuck(side, trial)
    const alerts = await auditAlerts(side, trial, mayRepeat)
    assert.doesNotMatch(trial.program.log(), /unexpected error/, 'the program logs no bug')
    return { ...answers, ...alerts }
  })
}

async function all<T>({ sql: db }: Side, query: RawBuilder<unknown>): Promise<T[]> {
  return (await query.execute(db)).rows as T[]
}

async function isWhole(side: Side, trial: Trial): Promise<void> {
  if (!trial.database.startsWith('sqlite:')) return
  const found = await all<{ integrity_check: string }>(side, sql`PRAGMA integrity_check`)
  assert.deepEqual(found, [{ integrity_check: 'ok' }], 'the database is whole')
}

function auditAnswers({ ledger, slowestMs }: Trial): Omit<Counts, 'alerts' | 'repeated'> {
  const refusals = ledger.filter(entry => entry.status !== 200 && entry.status !== 0)
  for (const { status, text, retryAfter } of refusals) {
    assert.deepEqual({ status, text, retryAfter }, { status: 503, text: 'try again later', retryAfter: '10' })
  }
  const slowestRefusalMs = Math.max(0, ...refusals.map(entry => entry.ms))
  const limitMs = REFUSED_WITHIN_MS + TIMES_SLOWEST * slowestMs
  assert.ok(
    slowestRefusalMs < limitMs,
    `a refusal came after ${slowestRefusalMs} ms, later than ${limitMs} ms`,
  )
  return {
    acknowledged: ledger.filter(entry => entry.status === 200).length,
    refused: refusals.length,
    unanswered: ledger.filter(entry => entry.status === 0).length,
    slowestRefusalMs,
  }
}

/** A start and the end of its run have one run ID. */
async function auditLog(side: Side, { ledger }: Trial): Promise<void> {
  const logged = await all<{ rid: string; times: number }>(
    side,
    sql`SELECT rid, count(*) AS times FROM pings WHERE rid IS NOT NULL GROUP BY rid, kind`,
  )
  const times = new Map(logged.map(row => [row.rid, row.times]))
  const lost = ledger.filter(({ status, rid }) => status === 200 && !times.has(rid))
  assert.deepEqual(lost.slice(0, 5), [], `${lost.length} acknowledged pings are not in the log`)
  const twice = logged.filter(row => row.times > 1)
  assert.deepEqual(twice.slice(0, 5), [], `${twice.length} pings are in the log more than once`)
}

/** A busy check matches its log: it never fell silent. */
async function auditCheck(side: Side, uuid: string): Promise<void> {
  const [check] = await all<Record<string, number | string | null>>(
    side,
    sql`SELECT * FROM checks WHERE uuid = ${uuid}`,
  )
  const log = await all<{ n: number; kind: string; created_at: number }>(
    side,
    sql`SELECT n, kind, created_at FROM pings WHERE check_id = ${check!.id} ORDER BY id`,
  )
  assert.ok(
    log.every((ping, index) => ping.n === index + 1),
    'the log has no gaps',
  )
  assert.equal(check!.n_pings, log.length, 'n_pings agrees with the log')
  const ends = log.filter(ping => ping.kind === 'success' || ping.kind === 'fail')
  const last = ends.at(-1)
  assert.equal(check!.last_ping, last?.created_at ?? null, 'last_ping is the last end of a run')
  if (last) assert.equal(check!.status, last.kind === 'success' ? 'up' : 'down', 'the status follows the log')
  assert.equal(check!.due_at !== null, check!.status === 'up', 'a check is due exactly while it is up')
  const flips = await all<{ old_status: string; new_status: string }>(
    side,
    sql`SELECT old_status, new_status FROM flips WHERE check_id = ${check!.id} ORDER BY id`,
  )
  assert.equal(flips.at(-1)?.new_status ?? 'new', check!.status, 'the last flip led to the status')
  for (const [index, flip] of flips.entries()) {
    const before = flips[index - 1]?.new_status ?? 'new'
    assert.equal(flip.old_status, before, 'each flip begins where the last ended')
  }
  const changes = ends.filter((ping, index) => ping.kind !== ends[index - 1]?.kind)
  assert.equal(flips.length, changes.length, 'each change in the log made one flip')
}

/**
 * Each check that fell silent went down once, and an alert about it arrived, with a reason and not before its hold
 * ended. Checks that were audited are removed from the list.
 */
export async function auditSilence(trial: Trial): Promise<void> {
  const recorded = await trial.outages()
  for (const uuid of trial.quiet.splice(0)) {
    const flips = await trial.withDatabase(side =>
      all<{ id: number; project_id: number; created_at: number; new_status: string; name: string }>(
        side,
        sql`SELECT c.id, c.project_id, f.created_at, f.new_status, d.name FROM flips f JOIN checks c ON c.id = f.check_id
        JOIN check_details d ON d.check_id = c.id WHERE c.uuid = ${uuid} ORDER BY f.id`,
      ),
    )
    assert.deepEqual(
      flips.map(flip => flip.new_status),
      ['up', 'down'],
    )
    const { id, project_id: projectId, created_at: deadline, name } = flips[1]!
    const outages = outagesOf(recorded, { id, projectId })
    const [first] = trial.arrivals(uuid, 'down')
    const heading = new RegExp(`${name}\\W+(is )?DOWN`)
    const chat = trial.receiver.arrivals.find(({ path, body }) => path === 'chat' && heading.test(body))
    assert.ok(first && chat, `an alert about the silence of ${name} arrived`)
    for (const { startedAt, holdUntil } of outages) {
      if (deadline < startedAt || deadline >= holdUntil) continue
      const early: number = holdUntil - Math.min(first.at, chat.at)
      assert.ok(early <= 50, `the message about ${name} left ${early} ms before its hold ended`)
    }
    const mayBeMissed = outages.some(
      ({ startedAt, endedAt }) => startedAt < deadline && endedAt > deadline - GRACE_MS,
    )
    assert.ok(
      mayBeMissed || !trial.missed.includes(uuid),
      `the outage that ${name} was expected in is on record`,
    )
    const says = /Punctual was unreachable/.test(chat.body)
    assert.equal(says, mayBeMissed, `what the message about ${name} says of an outage`)
  }
}

async function auditStuck(side: Side, trial: Trial): Promise<void> {
  const now = trial.program.now()
  const stuck = await all<{ uuid: string }>(
    side,
    sql`SELECT uuid FROM checks WHERE alert_after IS NOT NULL AND (wake_at IS NULL OR wake_at > alert_after)
      AND ${now} >= alert_after`,
  )
  assert.deepEqual(stuck, [], 'no check that is overdue sleeps on')
}

interface Attempt {
  flip_id: number
  delivery_uuid: string
  error: string
}

/** Each change that is alerted arrived through the webhook, or a newer message replaced it and says so. */
async function auditAlerts(
  side: Side,
  { receiver, clockStepMs }: Trial,
  mayRepeat: number,
): Promise<Pick<Counts, 'alerts' | 'repeated'>> {
  const [open] = await all<{ count: number }>(side, sql`SELECT count(*) AS count FROM deliveries`)
  assert.equal(open!.count, 0, 'nothing is left to deliver')
  // Two queries, because Citus cannot join their tables.
  const linked = await all<{ check_id: number }>(
    side,
    sql`SELECT cc.check_id FROM check_channels cc JOIN channels ch ON ch.id = cc.channel_id WHERE ch.name = 'webhook'`,
  )
  const alerted = new Set(linked.map(({ check_id }) => check_id))
  const changes = await all<{
    id: number
    check_id: number
    uuid: string
    new_status: string
    created_at: number
  }>(
    side,
    sql`SELECT f.id, f.check_id, f.new_status, f.created_at, c.uuid FROM flips f JOIN checks c ON c.id = f.check_id
      WHERE f.new_status = 'down' OR (f.new_status = 'up' AND f.old_status = 'down')`,
  )
  const alerts = changes.filter(({ check_id }) => alerted.has(check_id))
  const attempts = await all<Attempt>(
    side,
    sql`SELECT n.flip_id, n.delivery_uuid, n.error FROM notifications n
      JOIN channels c ON c.id = n.channel_id WHERE c.name = 'webhook'`,
  )
  const byFlip = grouped(attempts, attempt => attempt.flip_id)
  const byKey = grouped(receiver.arrivals, arrival => arrival.key)
  for (const alert of alerts) auditAlert(alert, byFlip.get(alert.id) ?? [], byKey, clockStepMs)
  byKey.delete('')
  const times = [...byKey.values()].map(arrivals => arrivals.length)
  const most = Math.max(0, ...times) - 1
  assert.ok(most <= mayRepeat, `a message came ${most + 1} times`)
  return { alerts: alerts.length, repeated: times.filter(count => count > 1).length }
}

/** Instants stored by a clock that was ahead are corrected by the step that a beat finds, to within one beat. */
const SET_BACK_WITHIN_MS = 10_000

function auditAlert(
  { uuid, new_status, created_at }: { uuid: string; new_status: string; created_at: number },
  attempts: Attempt[],
  byKey: Map<string, Arrival[]>,
  clockStepMs: number,
): void {
  assert.ok(attempts.length > 0, 'each change that is alerted has a delivery')
  assert.equal(new Set(attempts.map(attempt => attempt.delivery_uuid)).size, 1, 'with one idempotency key')
  if (attempts.some(attempt => attempt.error.startsWith('Superseded'))) return
  const body = byKey.get(attempts[0]!.delivery_uuid)?.[0]?.body ?? ''
  const about = `${uuid} ${new_status} `
  assert.equal(body.slice(0, about.length), about, 'the message arrived')
  const at = Math.floor(created_at / 1000) * 1000
  // A message sent while the clock was ahead has a later time; the change has been corrected since, by about as much.
  const aheadMs = Date.parse(body.slice(about.length)) - at
  assert.ok(aheadMs === 0 || (clockStepMs > 0 && Math.abs(aheadMs - clockStepMs) < SET_BACK_WITHIN_MS), body)
}

function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
