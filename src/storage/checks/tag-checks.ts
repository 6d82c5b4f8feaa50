import { tagList } from '../../core/checks/check.js'
import { CHECK_FIELDS } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { checkValues } from '../../core/events/check-values.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { advanceClocks } from '../incidents/policies/advance-clocks.js'
import { announcedWrite } from '../method.js'
import { wakeRetagged } from '../silences/wake-held.js'

/** The longest list of tags. Source: docs/behaviour.md, section 11. */
const TAGS_MAX_LENGTH = CHECK_FIELDS.tags.type.maxLength

/** The tags of a check, by its UUID. */
export interface Retagged {
  check: string
  before: string
  after: string
}

/**
 * Adds tags to checks of a project and removes others; the rest stay. Returns the tags of the checks that changed. Throws
 * `Refusal('invalid')`, and changes nothing, if a check would have more than 500 characters of tags.
 */
export const tag = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuids: readonly string[],
    { add, remove, now }: { add: readonly string[]; remove: readonly string[]; now: number },
  ): Promise<{ changed: Retagged[]; alerts: boolean }> => {
    const changed: (Retagged & { id: number; name: string })[] = []
    for (const some of chunks(uuids, db.dialect.maxParameters - 1)) {
      await advanceClocks(db, checksNamed(db, projectId, some), now)
      const rows = await db.sql
        .selectFrom('checks as c')
        .innerJoin('check_details as d', 'd.check_id', 'c.id')
        .select(['c.id', 'd.tags', 'd.name', 'c.uuid'])
        .where('c.project_id', '=', projectId)
        .where('c.uuid', 'in', some)
        .execute()
      for (const row of rows) {
        const kept = tagList(row.tags).filter(tag => !remove.includes(tag))
        const after = [...new Set([...kept, ...add])].join(' ')
        if (after === row.tags) continue
        if ([...after].length > TAGS_MAX_LENGTH) {
          throw new Refusal(
            'invalid',
            `the tags of ${row.name || row.uuid} would be longer than ${TAGS_MAX_LENGTH} characters`,
          )
        }
        await db.sql
          .updateTable('check_details')
          .set({ tags: after })
          .where('check_id', '=', row.id)
          .execute()
        changed.push({ id: row.id, name: row.name, check: row.uuid, before: row.tags, after })
      }
    }
    const events = changed.map(({ check, name, before, after }) => ({
      projectId,
      type: 'check.updated' as const,
      object: { id: check, name },
      before: checkValues({ tags: before }),
      after: checkValues({ tags: after }),
    }))
    await recordEvents(db, events, now)
    const ids = changed.map(({ id }) => id)
    const alerts = await wakeRetagged(db, projectId, ids, now)
    return { changed: changed.map(({ check, before, after }) => ({ check, before, after })), alerts }
  },
)

function checksNamed(db: Db, projectId: number, uuids: readonly string[]) {
  return db.sql
    .selectFrom('checks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('uuid', 'in', uuids)
}
