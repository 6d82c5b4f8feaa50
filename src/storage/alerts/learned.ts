/** What channels know of checks: the rows of `reported` and `flapping`. Decision 0102. */
import { sql as raw } from 'kysely'
import { prepared, preparedList } from '../prepared.js'
import { isTarget } from './links/targets.js'

/** The channel learned that the checks of these deliveries are down, by this process's message. */
export const noteLearnedDown = preparedList(
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

/** The channel counts as having learned that these checks are not down any more. */
export const noteLearnedUp = preparedList((sql, value: { channelId: number }, items: { checkId: number }[]) =>
  sql
    .deleteFrom('reported')
    .where('channel_id', '=', value.channelId)
    .where('check_id', 'in', checkIds(items)),
)

/** The channel learned that the check flaps, and is sent how it is once it does not. */
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

/** The check changed while the channel waits for it to be steady. */
export const noteFlappingChange = prepared((sql, value: { checkId: number; channelId: number; at: number }) =>
  sql
    .updateTable('flapping')
    .set({ changed_at: value.at })
    .where('check_id', '=', value.checkId)
    .where('channel_id', '=', value.channelId),
)

/** What the channel was promised has been sent. */
export const endFlapping = preparedList((sql, value: { channelId: number }, items: { checkId: number }[]) =>
  sql
    .deleteFrom('flapping')
    .where('channel_id', '=', value.channelId)
    .where('check_id', 'in', checkIds(items)),
)

const uuids = (items: { uuid: string }[]) => items.map(({ uuid }) => uuid)
const checkIds = (items: { checkId: number }[]) => items.map(({ checkId }) => checkId)
