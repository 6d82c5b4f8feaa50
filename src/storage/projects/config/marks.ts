/** Which objects of a project files of configuration own. */
import type { Section } from '../../../core/config/project-config.js'
import { appendTo } from '../../../lib/append-to.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'

export interface Mark {
  section: Section
  key: string
  /** The UUID of a channel or check, the ID of a policy or silence. */
  ref: string
  /** The name of the file. */
  owner: string
  /** The beginning of a silence in its file (ms), if it began later; else null. */
  beginsAt: number | null
}

/** The marks of a project, also of objects that were deleted since. */
export async function marksOf(db: Db, projectId: number): Promise<Mark[]> {
  return await db.sql
    .selectFrom('config_objects')
    .select(['section', 'key', 'object as ref', 'owner', 'begins_at as beginsAt'])
    .where('project_id', '=', projectId)
    .execute()
}

/** Removes the marks of these keys, and adds `added`. */
export async function replaceMarks(
  db: Db,
  projectId: number,
  removed: readonly { section: Section; key: string }[],
  added: readonly Mark[],
): Promise<void> {
  const keys = new Map<Section, string[]>()
  for (const { section, key } of removed) appendTo(keys, section, key)
  for (const [section, list] of keys) {
    for (const some of chunks(list, db.dialect.maxParameters - 2)) {
      await db.sql
        .deleteFrom('config_objects')
        .where('project_id', '=', projectId)
        .where('section', '=', section)
        .where('key', 'in', some)
        .execute()
    }
  }
  for (const some of chunks(added, Math.floor(db.dialect.maxParameters / 6))) {
    await db.sql
      .insertInto('config_objects')
      .values(
        some.map(({ section, key, ref, owner, beginsAt }) => ({
          project_id: projectId,
          section,
          key,
          object: ref,
          owner,
          begins_at: beginsAt,
        })),
      )
      .execute()
  }
}
