/** Why an alert about a check was or was not sent. */
import { sql } from 'kysely'
import type { Change, ChangeStatus } from '../../core/alerts/delivery/change.js'
import type { CheckHold } from '../../core/alerts/delivery/hold.js'
import { MOST_HOLDERS } from '../../core/incidents/dependency.js'
import type { ExplainedChannel, Explanation, WaitingAlert } from '../../core/incidents/explanation.js'
import type { IncidentEntry } from '../../core/incidents/listed-incident.js'
import { appendTo } from '../../lib/append-to.js'
import { isTarget } from '../alerts/links/targets.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { type CheckRef, findCheck } from '../checks/find-check.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { longRead } from '../method.js'
import { silenceHolds } from '../silences/silence-holds.js'
import { dependencyHolds } from './dependencies/dependency-holds.js'
import { messagesAndDrops } from './incident-timeline.js'
import { find } from './incidents.js'
import { latestIncident } from './latest-incident.js'

/** How many silences, and how many dependencies, all channels together name: hundreds may hold each of hundreds of channels. */
const MOST_HOLDS = 1_000

/** What each channel of a check was sent about its incident, and what waits and why. Throws as `findCheck`. */
export const explain = longRead(
  async (db: Db, projectId: number, ref: CheckRef, now: number): Promise<Explanation> => {
    const { id, uuid, uniqueKey, name, status, statusSince } = await findCheck(db, projectId, ref)
    const incidentId = await incidentOf(db, id, projectId)
    const incident = incidentId === null ? null : await find(db, projectId, incidentId, now)
    const entries = incident === null ? [] : await messagesAndDrops(db, incident.id)
    const waiting = await waitingOf(db, id, now)
    const downAtFor = (channelId: number) => {
      // As the claim does: waits begin when the alert was stored.
      const alert = waiting
        .get(channelId)
        ?.findLast(({ status, again }) => status === 'down' && again === null)
      return Math.max(incident?.downAt ?? statusSince, alert?.since ?? 0)
    }
    const rows = await channelsOf(db, id)
    const sent = sentTo(entries)
    const silences = silenceHolds(db, now)
    const dependencies = await dependencyHolds(
      db,
      rows.map(row => ({ checkId: id, projectId, downAt: downAtFor(row.id) })),
      now,
    )
    const most = Math.max(1, Math.min(MOST_HOLDERS, Math.floor(MOST_HOLDS / rows.length)))
    const longestOf = onceEach((holds: readonly CheckHold[]) => longest(holds, most))
    const channels: ExplainedChannel[] = []
    for (const [index, row] of rows.entries()) {
      const [silenced] = await silences(row.id, [{ checkId: id, projectId, downAt: 0 }])
      channels.push({
        channel: { uuid: row.uuid, name: row.name, kind: row.kind },
        unusable: whyUnusable(row),
        isLinked: row.isLinked === 1,
        reportedAt: row.reportedAt,
        ...(sent.get(row.uuid) ?? { last: null, dropped: [] }),
        waiting: waiting.get(row.id) ?? [],
        holds: [silenced!, dependencies[index]!].flatMap(({ holds }) => longestOf(holds)),
      })
    }
    return { check: { uuid, uniqueKey, name, status }, incident, channels }
  },
)

async function incidentOf(db: Db, checkId: number, projectId: number): Promise<number | null> {
  const row = await gathered(db, ['checks'], [checkId])
    .selectFrom('checks as c')
    .innerJoin('incidents as i', join =>
      join.on(sql<boolean>`i.id = ${latestIncident('c.id')}`).onRef('i.project_id', '=', 'c.project_id'),
    )
    .select('i.id')
    .where('c.id', '=', checkId)
    .where('c.project_id', '=', projectId)
    .executeTakeFirst()
  return row?.id ?? null
}

interface ChannelRow {
  id: number
  uuid: string
  name: string
  kind: string
  disabled: number
  confirmed: number
  unreachableAt: number | null
  reportedAt: number | null
  isLinked: number
}

/** The channels that are linked to a check, or have something to do with it still. */
async function channelsOf(db: Db, checkId: number): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`
    SELECT ch.id, ch.uuid, ch.name, ch.kind, ch.disabled, ch.confirmed, ch.unreachable_at AS "unreachableAt",
      r.reported_at AS "reportedAt", CASE WHEN ${isTarget('t.check_id', 't.channel_id')} THEN 1 ELSE 0 END AS "isLinked"
    FROM (
      SELECT cc.check_id, coalesce(gm.member_id, cc.channel_id) AS channel_id
      FROM check_channels cc LEFT JOIN group_members gm ON gm.group_id = cc.channel_id WHERE cc.check_id = ${checkId}
      UNION SELECT check_id, channel_id FROM deliveries WHERE check_id = ${checkId}
      UNION SELECT check_id, channel_id FROM reported WHERE check_id = ${checkId}
      UNION SELECT check_id, channel_id FROM incident_channels WHERE check_id = ${checkId}
    ) t
    JOIN channels ch ON ch.id = t.channel_id
    LEFT JOIN reported r ON r.check_id = t.check_id AND r.channel_id = t.channel_id
    ORDER BY ch.id`.execute(db.sql)
  return rows
}

function whyUnusable({ disabled, confirmed, unreachableAt }: ChannelRow): ExplainedChannel['unusable'] {
  if (disabled === 1) return 'disabled'
  if (confirmed === 0) return 'unconfirmed'
  return unreachableAt === null ? null : 'unreachable'
}

/** What waits for each channel, by the channels' IDs, oldest first. */
async function waitingOf(db: Db, checkId: number, now: number): Promise<Map<number, WaitingAlert[]>> {
  const rows = await gathered(db, ['flips'], [checkId])
    .selectFrom('deliveries as d')
    .leftJoin('flips as f', 'f.id', 'd.flip_id')
    .select(['d.channel_id', 'd.created_at', 'd.due_at', 'd.attempts', 'd.claimed_until', 'd.held_by'])
    .select(['d.again', 'd.closing', 'f.new_status'])
    .where('d.check_id', '=', checkId)
    // What waits for a link would not be sent while there is none.
    .where(eb => eb.or([eb('d.closing', 'is', null), eb('d.due_at', '<', WHEN_ENABLED)]))
    .orderBy('d.id')
    .execute()
  const waiting = new Map<number, WaitingAlert[]>()
  for (const row of rows) {
    const alert: WaitingAlert = {
      status: row.closing === null ? ((row.new_status ?? 'up') as ChangeStatus) : 'deleted',
      again: row.again as Change['again'],
      since: row.created_at,
      dueAt: row.due_at >= WHEN_ENABLED ? null : row.due_at,
      attempts: row.attempts,
      isSending: row.claimed_until !== null && row.claimed_until >= now,
      heldBy: row.held_by,
    }
    appendTo(waiting, row.channel_id, alert)
  }
  return waiting
}

/** `find`, which looks at each value once: most channels share the list of the silences that hold them. */
function onceEach<V extends object, R>(find: (value: V) => R): (value: V) => R {
  const found = new Map<V, R>()
  return value => {
    if (!found.has(value)) found.set(value, find(value))
    return found.get(value)!
  }
}

/** Those that hold longest, at most `most`. */
function longest(holds: readonly CheckHold[], most: number): readonly CheckHold[] {
  return holds.length <= most ? holds : holds.toSorted((a, b) => b.until - a.until).slice(0, most)
}

type Sent = Pick<ExplainedChannel, 'last' | 'dropped'>

/** The last message of each channel, and what was dropped after it, by the channels' UUIDs. */
function sentTo(entries: readonly IncidentEntry[]): ReadonlyMap<string, Sent> {
  const sent = new Map<string, Sent>()
  for (const entry of entries) {
    if (!('channel' in entry) || !entry.channel) continue
    const { uuid } = entry.channel
    if (entry.type === 'message') sent.set(uuid, { last: entry, dropped: [] })
    else if (entry.type === 'dropped') {
      const own = sent.get(uuid)
      if (own) own.dropped.push(entry)
      else sent.set(uuid, { last: null, dropped: [entry] })
    }
  }
  return sent
}
