/** Records what begins to wait for a monthly quota, and tells the project's people. Decision 0102. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Quota, quotaError } from '../../../core/alerts/delivery/quota.js'
import { noteUse } from '../../channels/channel-use.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { subjectOf } from '../../people/mail-about.js'
import { queueMails } from '../../people/mails.js'
import { peopleWho } from '../../people/people-who.js'
import { takeTurn } from '../../people/rate-limits.js'
import type { QuotaTrouble } from '../../people/unsent-alerts.js'
import { preparedList } from '../../prepared.js'
import type { Planned } from '../messages.js'
import { addNotifications, attemptOf, uuids } from '../notifications.js'

const DAY_MS = 86_400_000

/** The limit of the e-mails of a project about a quota: one a day. */
export function onceADay(projectId: number, { called }: Pick<Quota, 'called'>) {
  return { key: `over-quota:${projectId} ${called}`, capacity: 1, periodMs: DAY_MS }
}

/** Each delivery that a quota holds for the first time is a failed attempt in the log, and a reason for an e-mail. */
export async function noteOverQuota(db: Db, planned: readonly Planned[], now: number): Promise<void> {
  // By project, so that two processes cannot deadlock.
  for (const one of planned.toSorted((a, b) => a.channel.projectId - b.channel.projectId)) {
    const { channel, plan, rows, quota } = one
    const held = plan.holds.filter(({ reason }) => reason === 'quota').map(({ id }) => rows.get(id)!)
    const others = held.filter(({ change }) => change?.heldBy !== 'quota')
    if (quota === null || others.length === 0) continue
    const error = quotaError(quota)
    // Something else may have held it in the meantime.
    const items = others.flatMap(({ checkId, uuid }) => (checkId === null ? [] : [{ checkId, uuid }]))
    const known = new Set((await refused(db, { error }, items)).map(row => row.delivery_uuid))
    const begun = others.filter(({ uuid }) => !known.has(uuid))
    if (begun.length === 0) continue
    const attempts = begun.map(row => ({ ...attemptOf(row), uuid: randomUUID(), error, duration: 0 }))
    await addNotifications(db, attempts, now)
    const groupIds = begun.map(({ groupId }) => groupId)
    await noteUse(db, channel.id, groupIds, { startedAt: now, durationMs: 0, now, error })
    await queueMail(db, channel, quota, now)
  }
}

/** Those of these deliveries that have a notification with this error. */
const refused = preparedList((sql, value: { error: string }, items: { checkId: number; uuid: string }[]) =>
  sql
    .selectFrom('notifications')
    .select('delivery_uuid')
    .where(
      'check_id',
      'in',
      items.map(({ checkId }) => checkId),
    )
    .where('delivery_uuid', 'in', uuids(items))
    .where('error', '=', value.error),
)

/**
 * Queues an e-mail to each of the project's people, unless one waits for them that is not being sent: its words are written when it is
 * sent. See actions/people/mail/compose-quota-mail.ts.
 */
async function queueMail(
  db: Db,
  { projectId, kind }: Planned['channel'],
  quota: Quota,
  now: number,
): Promise<void> {
  const { key, periodMs } = onceADay(projectId, quota)
  const dueAt = await takeTurn(db, key, periodMs, now)
  if (dueAt === null) return
  const { uuid } = await db.sql
    .selectFrom('projects')
    .select('uuid')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const about: QuotaTrouble = { quota: kind, project: uuid, called: quota.called, since: now }
  const people = await db.sql
    .selectFrom('users')
    .select('id')
    .where('id', 'in', peopleWho(sql.val(projectId), sql.val('read')))
    .where('id', 'not in', eb =>
      eb
        .selectFrom('mails')
        .select('user_id')
        .where('about', 'like', `%${subjectOf(about)}%`)
        // One that was sent is kept for as long as it may bounce.
        .where('sent_at', 'is', null)
        .where(unclaimed(now)),
    )
    .execute()
  const subject = quotaError(quota)
  await queueMails(
    db,
    people.map(({ id }) => id),
    {
      kind: 'notice',
      subject,
      text: subject,
      html: '',
      unsubscribeUrl: '',
      about,
      dueAt,
      tells: { projectIds: [projectId], need: 'read' },
    },
    now,
  )
}
