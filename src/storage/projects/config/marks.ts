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

/** Names a mark of a project. */
export type MarkKey = Pick<Mark, 'section' | 'key'>

/** The marks of a project in these sections, also of objects that were deleted since. */
export async function marksOf(db: Db, projectId: number, sections: readonly Section[]): Promise<Mark[]> {
  return await selectMarks(db, projectId).where('section', 'in', sections).execute()
}

function selectMarks(db: Db, projectId: number) {
  return db.sql
    .selectFrom('config_objects')
    .select(['section', 'key', 'object as ref', 'owner', 'begins_at as beginsAt'])
    .where('project_id', '=', projectId)
}

/** The marks of a project with these keys. */
export async function marksOfKeys(db: Db, projectId: number, keys: readonly MarkKey[]): Promise<Mark[]> {
  const marks: Mark[] = []
  for (const [section, some] of bySection(db, keys)) {
    const query = selectMarks(db, projectId).where('section', '=', section).where('key', 'in', some)
    marks.push(...(await query.execute()))
  }
  return marks
}

/** Removes the marks of these keys, and adds `added`. */
export async function replaceMarks(
  db: Db,
  projectId: number,
  removed: readonly MarkKey[],
  added: readonly Mark[],
): Promise<void> {
  for (const [section, some] of bySection(db, removed)) {
    await db.sql
      .deleteFrom('config_objects')
      .where('project_id', '=', projectId)
      .where('section', '=', section)
      .where('key', 'in', some)
      .execute()
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

/** The keys of each section, as many as one statement can name. */
function bySection(db: Db, keys: readonly MarkKey[]): [Section, string[]][] {
  const sections = new Map<Section, string[]>()
  for (const { section, key } of keys) appendTo(sections, section, key)
  return [...sections].flatMap(([section, all]) =>
    [...chunks(all, db.dialect.maxParameters - 2)].map((some): [Section, string[]] => [section, some]),
  )
}
