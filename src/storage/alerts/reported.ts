/** What was reported to channels: the rows of `reported` and `flapping`. Decision 0102. */
import { sql as raw } from 'kysely'
import { prepared, preparedList } from '../prepared.js'
import { isTarget } from './links/targets.js'
import { uuids } from './notifications.js'

/** Records that this process's message reported the checks of these deliveries as down. */
export const noteReportedDown = preparedList(
  (sql, value: { worker: string; now: number }, items: { uuid: string }[]) =>
    sql
      .insertInto('reported')
      .columns(['check_id', 'channel_id', 'flip_id', 'reported_at'])
      .expression(eb =>
        eb
          .selectFrom('deliveries')
          .select([
            'check_id',
            'channel_id',
            'flip_id',
            raw<number>`CAST(${value.now} AS bigint)`.as('reported_at'),
          ])
          .$narrowType<{ check_id: number; flip_id: number }>()
          .where('uuid', 'in', uuids(items))
          .where('claimed_by', '=', value.worker)
          .where('check_id', 'is not', null)
          .where('flip_id', 'is not', null),
      )
      .onConflict(oc =>
        oc.columns(['check_id', 'channel_id']).doUpdateSet(eb => ({
          flip_id: eb.ref('excluded.flip_id'),
          reported_at: eb.ref('excluded.reported_at'),
        })),
      ),
)

/** Records that these checks count as reported up. */
export const noteReportedUp = preparedList(
  (sql, value: { channelId: number }, items: { checkId: number }[]) =>
    sql
      .deleteFrom('reported')
      .where('channel_id', '=', value.channelId)
      .where('check_id', 'in', checkIds(items)),
)

/** Records that the channel was sent that the check is flapping; it is sent the status when the check is stable. */
export const beginFlapping = prepared(
  (sql, value: { checkId: number; channelId: number; now: number; changedAt: number }) =>
    sql
      .insertInto('flapping')
      .columns(['check_id', 'channel_id', 'reported_at', 'changed_at'])
      .expression(eb =>
        eb
          .selectFrom('checks as c')
          .innerJoin('channels as ch', join => join.on('ch.id', '=', value.channelId))
          .select(['c.id as check_id', 'ch.id as channel_id'])
          .select(raw<number>`CAST(${value.now} AS bigint)`.as('reported_at'))
          .select(raw<number>`CAST(${value.changedAt} AS bigint)`.as('changed_at'))
          .where('c.id', '=', value.checkId)
          .where(isTarget('c.id', 'ch.id')),
      ),
)

/** Records that a flapping check changed again. */
export const noteFlappingChange = prepared((sql, value: { checkId: number; channelId: number; at: number }) =>
  sql
    .updateTable('flapping')
    .set({ changed_at: value.at })
    .where('check_id', '=', value.checkId)
    .where('channel_id', '=', value.channelId),
)

/** Ends the flapping of checks whose status was sent. */
export const endFlapping = preparedList((sql, value: { channelId: number }, items: { checkId: number }[]) =>
  sql
    .deleteFrom('flapping')
    .where('channel_id', '=', value.channelId)
    .where('check_id', 'in', checkIds(items)),
)

const checkIds = (items: { checkId: number }[]) => items.map(({ checkId }) => checkId)
