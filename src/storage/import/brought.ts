/** Remembers what imports brought, or found here, so that a later one does not bring back what has ended. Decision 0161. */
import { createHash } from 'node:crypto'
import { milliseconds } from '../../core/import/map-people.js'
import type { SourceRow } from '../../core/import/source-schema.js'
import type { Side } from '../copy/side.js'

/** Names an object of a source; no other source has one of this name. */
export type SourceName = readonly [kind: 'person' | 'project' | 'member' | 'channel' | 'check', ...string[]]

/** Why an object is left out. */
export const ENDED = 'an earlier import brought it, and it has ended here since'

/** A username alone may be the same in two installations. Healthchecks writes instants into a dump without their microseconds. */
export function personName({ username, date_joined }: SourceRow<'auth_user'>): SourceName {
  return ['person', username ?? '', String(milliseconds(date_joined))]
}

/** Names any role, so that one that ended here does not come back as another. */
export function memberName(project: SourceRow<'accounts_project'>, user: SourceRow<'auth_user'>): SourceName {
  return ['member', project.code!, ...personName(user)]
}

/** What an earlier import noted of the object; undefined: none brought or found it. `userId`: the account of a person. */
export async function broughtBefore(
  { sql }: Side,
  name: SourceName,
): Promise<{ userId: number | null } | undefined> {
  return await sql
    .selectFrom('imported')
    .select('user_id as userId')
    .where('digest', '=', digestOf(name))
    .executeTakeFirst()
}

/** Notes that the object was brought, or is here. */
export async function noteBrought({ sql }: Side, name: SourceName, userId: number | null = null) {
  await sql
    .insertInto('imported')
    .values({ digest: digestOf(name), user_id: userId })
    .onConflict(oc => oc.doNothing())
    .execute()
}

/** From now on imports give the account nothing: whom they brought as its person is another, or no longer has it. */
export async function forgetAccount({ sql }: Pick<Side, 'sql'>, userId: number): Promise<void> {
  await sql.updateTable('imported').set({ user_id: null }).where('user_id', '=', userId).execute()
}

/** It is shorter than the names, of which there may be a million, and does not keep those of people. */
function digestOf(name: SourceName): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('base64url').slice(0, 22)
}
