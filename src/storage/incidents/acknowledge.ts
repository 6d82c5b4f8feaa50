/** What people do to incidents: acknowledge them, take that back, and write notes. Decision 0115. */
import { sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import type { FieldValues } from '../../core/events/event.js'
import type { EventType } from '../../core/events/event-types.js'
import type { Acknowledgement } from '../../core/incidents/listed-incident.js'
import { isAcknowledged } from '../../core/incidents/listed-incident.js'
import { isoSeconds } from '../../core/wire/timestamp.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { gathered } from '../gathered.js'
import { lockedRows } from '../locks.js'
import { announcedWrite, costlyWrite } from '../method.js'
import { advanceClocks } from './policies/advance-clocks.js'
import { lookAfterAcknowledgement } from './policies/look-after-acknowledgement.js'
import { roomForAcknowledgements } from './policies/room-for-acknowledgements.js'

/** Who does it, and when (ms). */
export interface ByPerson {
  by: string
  now: number
}

/** The maximum number of notes on an incident. */
const MOST_NOTES = 500

/**
 * Acknowledges open incidents of a project, as many as a transaction has room for; one that is acknowledged already gets the new note and end,
 * or with `onlyNew` stays as it is. Closed ones stay as they are. Returns the IDs of those that are acknowledged now, and of those that are `left` for
 * the next call, which is told so by `goesOn`. Throws a `Refusal`, and changes nothing: `not-found` or `forbidden` if one is not an incident of the
 * project; `conflict` if there is only one, and it is closed. With `goesOn` those that are gone meanwhile are passed over.
 */
export const acknowledge = costlyWrite(
  async (
    db: Db,
    projectId: number,
    ids: readonly number[],
    { by, now, note, until, onlyNew = false, goesOn = false }: AcknowledgedBy,
  ): Promise<{ acknowledged: number[]; left: number[] }> => {
    const wanted = await findIncidents(db, projectId, ids, goesOn)
    const chosen = await roomForAcknowledgements(db, wanted)
    const rows = await lockIncidents(db, projectId, idsOf(chosen), goesOn)
    const open = rows.filter(({ closed_at }) => closed_at === null)
    if (!goesOn && wanted.length === 1 && open.length === 0)
      throw new Refusal('conflict', 'the incident is closed')
    const acknowledged = onlyNew
      ? open.filter(row => !isAcknowledged({ at: row.ack_at, until: row.ack_until }, now))
      : open
    await noteAcknowledgement(db, acknowledged, { by, at: now, note, until }, { by, now })
    const done = new Set(chosen)
    return { acknowledged: idsOf(acknowledged), left: idsOf(wanted.filter(one => !done.has(one))) }
  },
)

type AcknowledgedBy = ByPerson &
  Pick<Acknowledgement, 'note' | 'until'> & { onlyNew?: boolean; goesOn?: boolean }

/** Takes the acknowledgement of an incident back. Throws as {@link acknowledge}; `conflict` if there is none. */
export const unacknowledge = announcedWrite(
  async (db: Db, projectId: number, id: number, person: ByPerson): Promise<void> => {
    const rows = await lockIncidents(db, projectId, [id])
    const { ack_at: at, ack_until: until } = rows[0]!
    if (!isAcknowledged({ at, until }, person.now))
      throw new Refusal('conflict', 'the incident is not acknowledged')
    await noteAcknowledgement(db, rows, null, person)
  },
)

/** Adds a note to an incident, open or not. Throws as {@link acknowledge}; `limit` if it has too many. */
export const addNote = announcedWrite(
  async (db: Db, projectId: number, id: number, note: string, { by, now }: ByPerson): Promise<void> => {
    await lockIncidents(db, projectId, [id])
    const { notes } = await db.sql
      .selectFrom('incident_events')
      .select(eb => eb.fn.countAll<number | string>().as('notes'))
      .where('incident_id', '=', id)
      .where('kind', '=', 'note')
      .executeTakeFirstOrThrow()
    if (Number(notes) >= MOST_NOTES)
      throw new Refusal('limit', `the incident has ${MOST_NOTES} notes, the maximum`)
    await db.sql
      .insertInto('incident_events')
      .values({ incident_id: id, created_at: now, kind: 'note', text: note, author: by })
      .execute()
    await recordAbout(db, 'incident.noted', [id], { by, note }, now)
  },
)

interface LockedIncident {
  id: number
  project_id: number
  closed_at: number | null
  ack_at: number | null
  ack_until: number | null
}

/** Locked in the order of their IDs, as elsewhere. */
async function lockIncidents(
  db: Db,
  projectId: number,
  ids: readonly number[],
  goesOn = false,
): Promise<LockedIncident[]> {
  const query = db.sql
    .selectFrom('incidents')
    .select(['id', 'project_id', 'closed_at', 'ack_at', 'ack_until'])
    .where('id', 'in', ids)
    .orderBy('id')
  return ofProject(projectId, ids, await lockedRows(db, query).execute(), goesOn)
}

/** All of these incidents, which are not locked. */
async function findIncidents(db: Db, projectId: number, ids: readonly number[], goesOn: boolean) {
  const wanted = [...new Set(ids)]
  const rows = await db.sql
    .selectFrom('incidents')
    .select(['id', 'project_id', 'check_id as checkId'])
    .where('id', 'in', wanted)
    .orderBy('id')
    .execute()
  return ofProject(projectId, wanted, rows, goesOn)
}

/** The rows of the project; throws a `Refusal` if there are others, or some are missing, unless it `goesOn`. */
function ofProject<R extends { project_id: number }>(
  projectId: number,
  ids: readonly number[],
  rows: readonly R[],
  goesOn: boolean,
): R[] {
  if (goesOn) return rows.filter(row => row.project_id === projectId)
  if (rows.length < ids.length) throw new Refusal('not-found', 'incident not found')
  if (rows.some(row => row.project_id !== projectId))
    throw new Refusal('forbidden', 'the incident belongs to another project')
  return [...rows]
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

/**
 * The one place where incidents, which are locked, become acknowledged, or (`ack`: null) are not any more: what else
 * depends on it is changed here.
 */
async function noteAcknowledgement(
  db: Db,
  incidents: readonly { id: number }[],
  ack: Acknowledgement | null,
  { by, now }: ByPerson,
): Promise<void> {
  if (incidents.length === 0) return
  const ids = idsOf(incidents)
  const checks = db.sql.selectFrom('incidents').select('check_id').where('id', 'in', ids)
  // One that is taken back keeps its beginning, and a look has to find that it ended since.
  // With what `lookAfterAcknowledgement` asks for, so that rows are written once.
  if (ack !== null) await advanceClocks(db, checks, now, ack.until)
  await db.sql
    .updateTable('incidents')
    .set(
      ack === null
        ? // The clocks of its policies need to know when it was acknowledged.
          { ack_until: now }
        : { ack_by: ack.by, ack_at: ack.at, ack_note: ack.note, ack_until: ack.until },
    )
    .where('id', 'in', ids)
    .execute()
  const kind = ack === null ? 'unacknowledged' : 'acknowledged'
  await db.sql
    .insertInto('incident_events')
    .values(
      ids.map(id => ({
        incident_id: id,
        created_at: now,
        kind,
        text: ack?.note ?? '',
        author: by,
        until_at: ack?.until ?? null,
      })),
    )
    .execute()
  const after =
    ack === null ? { by } : { by, note: ack.note, until: ack.until === null ? null : isoSeconds(ack.until) }
  await recordAbout(db, `incident.${kind}`, ids, after, now)
  await lookAfterAcknowledgement(db, ids, { ack, now })
}

/** Records events about incidents, each with its check. */
async function recordAbout(
  db: Db,
  type: EventType,
  ids: readonly number[],
  after: FieldValues,
  now: number,
): Promise<void> {
  for (const some of chunks(ids, db.dialect.maxParameters)) {
    const checks = sql`(SELECT i.check_id FROM incidents i WHERE i.id IN (${sql.join(some)}))`
    const rows = await gathered(db, ['checks', 'check_details'], checks)
      .selectFrom('incidents as i')
      .leftJoin('checks as c', 'c.id', 'i.check_id')
      .leftJoin('check_details as d', 'd.check_id', 'c.id')
      .select(['i.id', 'i.project_id as projectId', 'i.label', 'c.uuid', 'd.name'])
      .where('i.id', 'in', some)
      .orderBy('i.id')
      .execute()
    const events = rows.map(({ id, projectId, label, uuid, name }) => ({
      projectId,
      type,
      object: { id, name: name ?? label ?? '' },
      after: { check: uuid, ...after },
    }))
    await recordEvents(db, events, now)
  }
}
