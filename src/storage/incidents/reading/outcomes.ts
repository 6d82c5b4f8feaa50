import { sql } from 'kysely'
import { NEEDLESS_NOTES } from '../../../core/alerts/delivery/drop-notes.js'
import { droppedWords, heldWords } from '../../../core/incidents/entry-words.js'
import type { Outcome } from '../../../core/incidents/recent-incident.js'
import type { Db } from '../../db.js'

type Sent = Omit<Outcome, 'integrations'>

/** What became of the down alerts of these incidents, by their IDs. */
export async function outcomesOf(db: Db, ids: readonly number[]): Promise<Map<number, Sent>> {
  if (ids.length === 0) return new Map()
  const [messages, holds] = await Promise.all([
    db.sql
      .selectFrom('notifications')
      .select(['incident_id as id', 'channel_id as channel'])
      .select(sql<number>`max(CASE WHEN error = '' THEN 1 ELSE 0 END)`.as('sent'))
      .where('incident_id', 'in', ids)
      .where('check_status', '=', 'down')
      .where('error', 'not in', ['Sending', ...NEEDLESS_NOTES])
      .groupBy(['incident_id', 'channel_id'])
      .execute(),
    db.sql
      .selectFrom('incident_events as e')
      .select(['e.incident_id as id', 'e.kind', 'e.text', 'e.reason'])
      .where('e.id', 'in', eb =>
        eb
          .selectFrom('incident_events as l')
          .select(l => l.fn.max('l.id').as('id'))
          .where('l.incident_id', 'in', ids)
          .where('l.kind', 'in', ['held', 'dropped'])
          .where('l.text', '!=', 'up')
          .groupBy('l.incident_id'),
      )
      .execute(),
  ])
  const held = new Map(
    holds.map(({ id, kind, ...event }) => [id, kind === 'held' ? heldWords(event) : droppedWords(event)]),
  )
  const outcomes = new Map<number, Sent>()
  for (const id of ids) outcomes.set(id, { sent: 0, failed: 0, held: held.get(id) ?? '' })
  for (const { id, sent } of messages) outcomes.get(id!)![Number(sent) === 1 ? 'sent' : 'failed']++
  return outcomes
}
