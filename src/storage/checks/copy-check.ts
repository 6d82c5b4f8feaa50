import { DEFAULT_SETTINGS, type Settings } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import { setChannels } from '../channels/check-channels.js'
import type { Db } from '../db.js'
import { choosePolicy } from '../incidents/choose-policy.js'
import { announcedWrite } from '../method.js'
import { accountCheckCount, lockProject } from './checks.js'
import { insertCheck } from './create/insert-checks.js'
import { findCheck } from './find-check.js'

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[]

/**
 * Creates a check with the settings, channels and dependencies of another and returns its UUID. Throws a `Refusal`: `limit` if the
 * account has reached its limit of checks, else as {@link findCheck}. Source: docs/behaviour.md, section 9.4.
 */
export const copy = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuid: string,
    names: Pick<Settings, 'name' | 'slug'>,
    now: number,
  ): Promise<{ uuid: string }> => {
    await lockProject(db, projectId)
    const check = await findCheck(db, projectId, { uuid })
    if ((await accountCheckCount(db, projectId)) >= db.settings.checkLimit) {
      throw new Refusal(
        'limit',
        `the account has reached its limit of ${plural(db.settings.checkLimit, 'check')}`,
      )
    }
    const settings = Object.fromEntries(SETTING_NAMES.map(name => [name, check[name]])) as unknown as Settings
    const made = await insertCheck(db, { ...settings, ...names, projectId, now })
    await db.sql
      .insertInto('check_parents')
      .columns(['check_id', 'parent_id'])
      .expression(eb =>
        eb
          .selectFrom('check_parents')
          .select(s => [s.lit(made.id).as('check_id'), 'parent_id'])
          .where('check_id', '=', check.id),
      )
      .execute()
    const channels = await db.sql
      .selectFrom('check_channels')
      .select('channel_id as id')
      .where('check_id', '=', check.id)
      .execute()
    await setChannels(
      db,
      made.id,
      channels.map(channel => channel.id),
      now,
    )
    const { policy_id } = await db.sql
      .selectFrom('check_details')
      .select('policy_id')
      .where('check_id', '=', check.id)
      .executeTakeFirstOrThrow()
    if (policy_id !== null) await choosePolicy(db, { id: made.id, projectId }, policy_id, now)
    return { uuid: made.uuid }
  },
)
