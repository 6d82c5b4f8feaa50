/** The channels that the steps of policies name. */
import { sql } from 'kysely'
import type { PolicyRules } from '../../../core/incidents/policy.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'

/** A channel that a step reaches, directly or as the member of a group. */
export interface StepChannel {
  projectId: number
  /** The UUID by which the step names it: its own, or that of the group. */
  name: string
  channelId: number
  groupId: number | null
  /** Whether nothing is sent: it is disabled, or the group is. */
  isDisabled: boolean
}

/** The UUIDs that the steps name. */
export function namesIn(policies: Iterable<PolicyRules>): string[] {
  const names = new Set<string>()
  for (const { steps } of policies) {
    for (const { channels } of steps) if (channels !== 'check') for (const uuid of channels) names.add(uuid)
  }
  return [...names]
}

/** The channels with these UUIDs, with groups expanded to their members. Deleted ones are left out. */
export async function stepChannels(db: Db, uuids: readonly string[]): Promise<StepChannel[]> {
  const found: StepChannel[] = []
  for (const some of chunks(uuids, db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('channels as named')
      .leftJoin('group_members as gm', 'gm.group_id', 'named.id')
      .innerJoin('channels as target', join =>
        join.on('target.id', '=', sql<number>`coalesce(gm.member_id, named.id)`),
      )
      .select(['named.project_id as projectId', 'named.uuid as name', 'target.id as channelId'])
      .select(['gm.group_id as groupId', 'named.disabled as namedDisabled', 'target.disabled'])
      .where('named.uuid', 'in', some)
      .execute()
    for (const { namedDisabled, disabled, ...row } of rows) {
      found.push({ ...row, isDisabled: namedDisabled === 1 || disabled === 1 })
    }
  }
  return found
}
