import { tagList } from '../../core/checks/check.js'
import { CHECK_FIELDS } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { checkValues } from '../../core/events/check-values.js'
import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { advanceClocks } from '../incidents/policies/advance-clocks.js'
import { announcedWrite, read } from '../method.js'
import { wakeRetagged } from '../silences/wake-held.js'
import { ownChecks } from './bulk-edit/check-names.js'
import { type KeptPart, keepPart } from './bulk-edit/keep-batch.js'

/** The longest list of tags. Source: docs/behaviour.md, section 11. */
const TAGS_MAX_LENGTH = CHECK_FIELDS.tags.type.maxLength

/** The tags of a check, by its UUID. */
export interface Retagged {
  check: string
  before: string
  after: string
}

interface Tagging {
  add: readonly string[]
  remove: readonly string[]
}

/**
 * Adds tags to checks of a project and removes others; the rest stay. Returns the tags of the checks that changed. Throws
 * `Refusal('invalid')`, and changes nothing, if a check would have more than 500 characters of tags. `part`: what it is a part of,
 * to be undone with it; absent: it cannot be undone.
 */
export const tag = announcedWrite(
  async (
    db: Db,
    projectId: number,
    uuids: readonly string[],
    { now, part, ...tagging }: Tagging & { now: number; part?: KeptPart },
  ): Promise<{ changed: Retagged[]; alerts: boolean }> => {
    const changed = await retagged(db, projectId, uuids, tagging)
    const groups = new Map<string, number[]>()
    for (const { id, after } of changed) appendTo(groups, after, id)
    for (const [tags, ids] of groups) {
      for (const some of chunks(ids, db.dialect.maxParameters - 1)) {
        await advanceClocks(db, db.sql.selectFrom('checks').select('id').where('id', 'in', some), now)
        await db.sql.updateTable('check_details').set({ tags }).where('check_id', 'in', some).execute()
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
    const tags = changed.map(({ check, before, after }) => ({ check, before, after }))
    await keepPart(db, { projectId, steps: tags.map(one => ({ did: 'tags', ...one })), now }, part)
    return { changed: tags, alerts }
  },
)

/** Writes nothing. Throws as {@link tag} does. */
export const refuseTags = read(
  async (db: Db, projectId: number, uuids: readonly string[], tagging: Tagging): Promise<void> => {
    await retagged(db, projectId, uuids, tagging)
  },
)

/** The checks whose tags change. */
async function retagged(db: Db, projectId: number, uuids: readonly string[], { add, remove }: Tagging) {
  const rows = await ownChecks(db, projectId, uuids)
  return rows.flatMap(({ id, name, uuid: check, tags: before }) => {
    const kept = tagList(before).filter(tag => !remove.includes(tag))
    const after = [...new Set([...kept, ...add])].join(' ')
    if (after === before) return []
    if ([...after].length > TAGS_MAX_LENGTH) {
      const text = `the tags of ${name || check} would be longer than ${TAGS_MAX_LENGTH} characters`
      throw new Refusal('invalid', text)
    }
    return [{ id, name, check, before, after }]
  })
}
