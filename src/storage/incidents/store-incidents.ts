/** Opens, reopens and closes the incidents of checks, in the transaction that stores their flips. Decision 0115. */
import { sql } from 'kysely'
import type { Flip } from '../../core/checks/flip.js'
import type { EventType } from '../../core/events/event-types.js'
import { type CauseDetail, type CauseRules, causeDetail } from '../../core/incidents/cause-detail.js'
import { isPlainPolicy } from '../../core/incidents/escalation.js'
import {
  type ClosedBy,
  type Incident,
  type IncidentStep,
  incidentAfter,
} from '../../core/incidents/incident.js'
import type { PolicyRules } from '../../core/incidents/policy.js'
import { selectSettings } from '../checks/rows/check-columns.js'
import type { Db } from '../db.js'
import { type NewEvent, recordEvents } from '../events/record-events.js'
import { gathered } from '../gathered.js'
import { latestIncident } from './latest-incident.js'
import type { FlipIncident } from './policies/begin-policies.js'
import { policyApplies, rulesOf } from './policies/policy-rows.js'
import { hasProgress } from './policies/progress-rows.js'

/** A stored flip that opens or closes an incident. */
export interface StoredFlip {
  checkId: number
  flipId: number
  flip: Flip
  /** Of the failure signal that caused it; null if it had none. */
  exitStatus: number | null
}

/** An incident before it is written; `id`: null for a new one. */
interface Draft {
  id: number | null
  checkId: number
  projectId: number
  /** Of the check. */
  uuid: string
  name: string
  incident: Incident
  /** Written with a new one. */
  detail: CauseDetail
  policy: PolicyRules | null
  /** Whether rows of `incident_channels` are about it. */
  escalates: boolean
}

/** An incident that its check reopened: when it had come up, and when and why it went down again. */
interface Reopening {
  draft: Draft
  closedAt: number
  at: number
  cause: string
}

/**
 * Applies flips to or from down, in order, to the incidents of their checks. The checks are locked, so nothing else
 * opens or closes these incidents. `releaseAt`: until when those that are closed hold others all the same, because the change
 * can be undone; null: not at all. Returns the incident that each flip belongs to, by the flip's ID.
 */
export async function storeIncidents(
  db: Db,
  flips: readonly StoredFlip[],
  releaseAt: number | null,
): Promise<Map<number, FlipIncident>> {
  const latest = await latestIncidents(db, [...new Set(flips.map(({ checkId }) => checkId))])
  const changed = new Set<Draft>()
  const reopened: Reopening[] = []
  const steps: { step: IncidentStep; draft: Draft; incident: Incident }[] = []
  const draftOf = new Map<number, Draft>()
  for (const { checkId, flipId, flip, exitStatus } of flips) {
    const check = latest.get(checkId)
    if (!check) continue
    const before = check.latest?.incident ?? null
    const { step, incident } = incidentAfter(before, flip, flipId)
    if (incident === null) continue
    if (step === 'opened' || !check.latest)
      check.latest = {
        id: null,
        checkId,
        ...check.own,
        incident,
        detail: causeDetail(flip, check.rules, exitStatus),
        escalates: false,
      }
    else check.latest.incident = incident
    if (incident !== before) changed.add(check.latest)
    if (step !== 'none') steps.push({ step, draft: check.latest, incident })
    if (step === 'reopened')
      reopened.push({
        draft: check.latest,
        closedAt: before!.closedAt!,
        at: flip.createdAt,
        cause: flip.reason,
      })
    draftOf.set(flipId, check.latest)
  }
  await save(db, [...changed], releaseAt)
  if (reopened.length > 0) await noteReopened(db, reopened)
  await recordEvents(db, steps.map(eventOf), 0)
  return new Map(
    [...draftOf].map(([flipId, { id, incident, uuid: _, name: __, ...draft }]) => [
      flipId,
      { ...draft, id: id!, isOpen: incident.closedAt === null },
    ]),
  )
}

/** A check with its latest incident, and what a new one needs. */
interface Latest {
  own: Pick<Draft, 'projectId' | 'uuid' | 'name' | 'policy'>
  rules: CauseRules
  latest: Draft | null
}

/** The settings of a check that say why it went down. */
const RULES = [
  'kind',
  'tz',
  'graceSeconds',
  'startWithinSeconds',
  'maxDurationSeconds',
  'minDurationSeconds',
] as const

async function latestIncidents(db: Db, checkIds: readonly number[]): Promise<Map<number, Latest>> {
  const rows = await gathered(db, ['checks', 'check_details'], checkIds)
    .selectFrom('checks as c')
    .leftJoin('incidents as i', join => join.on('i.id', '=', latestIncident('c.id')))
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .leftJoin('policies as pol', join => join.on(policyApplies))
    .select(['c.uuid', 'd.name'])
    .select(['c.id as checkId', 'c.project_id as projectId', 'i.id', 'i.opened_at', 'i.since_at', 'i.cause'])
    .select(['i.down_at', 'i.flip_id', 'i.closed_at', 'i.closed_by'])
    .select(selectSettings(RULES))
    .select(['pol.steps', 'pol.repeat_every', 'pol.repeat_times'])
    .select(hasProgress('i.id').as('escalates'))
    .where('c.id', 'in', checkIds)
    .execute()
  return new Map(
    rows.map(row => {
      const { id, checkId, projectId, uuid, name } = row
      const own = { projectId, uuid, name, policy: policyIn(row) }
      const escalates = row.escalates === 1
      const draft = { checkId, ...own, incident: toIncident(row), detail: {}, escalates }
      return [checkId, { own, rules: row, latest: id === null ? null : { id, ...draft } }]
    }),
  )
}

function policyIn(row: Parameters<typeof rulesOf>[0]): PolicyRules | null {
  const policy = rulesOf(row)
  return policy === null || isPlainPolicy(policy) ? null : policy
}

interface Row {
  opened_at: number | null
  since_at: number | null
  cause: string | null
  down_at: number | null
  flip_id: number | null
  closed_at: number | null
  closed_by: ClosedBy | null
}

const toIncident = (row: Row): Incident => ({
  openedAt: row.opened_at!,
  sinceAt: row.since_at!,
  cause: row.cause!,
  downAt: row.down_at!,
  flipId: row.flip_id!,
  closedAt: row.closed_at,
  closedBy: row.closed_by,
})

/** Writes drafts in one statement, those that exist first and by ID, and gives the new ones their IDs. */
async function save(db: Db, drafts: readonly Draft[], releaseAt: number | null): Promise<void> {
  if (drafts.length === 0) return
  const order = ({ id }: Draft) => id ?? Number.POSITIVE_INFINITY
  const sorted = drafts.toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)))
  const rows = await db.sql
    .insertInto('incidents')
    .values(
      sorted.map(({ id, checkId, projectId, incident, detail }) => ({
        ...(id !== null && { id }),
        project_id: projectId,
        check_id: checkId,
        ...incidentColumns(incident),
        release_at: incident.closedAt === null ? null : releaseAt,
        detail: JSON.stringify(detail),
      })),
    )
    .onConflict(conflict =>
      conflict.column('id').doUpdateSet(eb => ({
        down_at: eb.ref('excluded.down_at'),
        flip_id: eb.ref('excluded.flip_id'),
        closed_at: eb.ref('excluded.closed_at'),
        closed_by: eb.ref('excluded.closed_by'),
        release_at: eb.ref('excluded.release_at'),
        releases: releases('excluded.closed_at', 'excluded.check_id'),
      })),
    )
    .returning(['id', 'flip_id'])
    .execute()
  const ids = new Map(rows.map(row => [row.flip_id, row.id]))
  for (const draft of drafts) draft.id ??= ids.get(draft.incident.flipId)!
}

/** 1 if an incident that is closed at `closedAt` may have held alerts of other checks, else 0. Both name columns. */
export function releases(closedAt: string, checkId: string) {
  return sql<0 | 1>`CASE WHEN ${sql.ref(closedAt)} IS NOT NULL AND EXISTS (
    SELECT 1 FROM check_parents cp WHERE cp.parent_id = ${sql.ref(checkId)}
  ) THEN 1 ELSE 0 END`
}

function eventOf({
  step,
  draft,
  incident,
}: {
  step: IncidentStep
  draft: Draft
  incident: Incident
}): NewEvent {
  const { projectId, uuid: check, name } = draft
  const after = step === 'closed' ? { check, closed_by: incident.closedBy } : { check, cause: incident.cause }
  const at = step === 'closed' ? incident.closedAt! : incident.downAt
  return { projectId, type: `incident.${step}` as EventType, object: { id: draft.id!, name }, after, at }
}

async function noteReopened(db: Db, reopened: readonly Reopening[]): Promise<void> {
  await db.sql
    .insertInto('incident_events')
    .values(
      reopened.flatMap(({ draft, closedAt, at, cause }) => [
        { incident_id: draft.id!, created_at: closedAt, kind: 'closed', reason: 'recovery' },
        { incident_id: draft.id!, created_at: at, kind: 'reopened', reason: cause },
      ]),
    )
    .execute()
}

/** The columns of an incident that its state alone gives. */
export function incidentColumns(incident: Incident) {
  return {
    opened_at: incident.openedAt,
    since_at: incident.sinceAt,
    cause: incident.cause,
    down_at: incident.downAt,
    flip_id: incident.flipId,
    closed_at: incident.closedAt,
    closed_by: incident.closedBy,
  }
}
