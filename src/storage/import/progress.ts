/** How far an import of one installation came, in the target's table `meta`. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Side } from '../copy/side.js'
import { broughtBefore } from './brought.js'

interface Reached {
  /** The last IDs of the source that were imported. */
  pings: number
  notifications: number
  /** Whether the import came to its end once. */
  complete: boolean
}

export interface Progress extends Reached {
  key: string
  /** Names this run. Stored, so that one that is continued elsewhere ends. */
  run: string
  /** As it is stored; null: not yet. */
  stored: string | null
}

/**
 * The progress of the installation with these projects, the oldest first, which names it. If the one that named it was deleted
 * since, but others are known, all logs are read again as after an import that came to its end.
 */
export async function loadProgress(side: Side | null, projectUuids: readonly string[]): Promise<Progress> {
  const key = `import healthchecks ${projectUuids[0] ?? ''}`
  const row = await side?.sql.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  const complete = side !== null && !row && (await anyBrought(side, projectUuids))
  const begun: Reached = { pings: 0, notifications: 0, complete }
  return { ...begun, ...(row && JSON.parse(row.value)), key, run: randomUUID(), stored: row?.value ?? null }
}

async function anyBrought(side: Side, projectUuids: readonly string[]): Promise<boolean> {
  for (const uuid of projectUuids) if (await broughtBefore(side, ['project', uuid])) return true
  return false
}

/**
 * Stores how far an import comes with this transaction, which has to begin with this. Throws a `Refusal` (`conflict`) if another
 * import has begun since: both would write the same rows.
 */
export async function saveProgress(
  { sql }: Side,
  progress: Progress,
  reached: Partial<Reached>,
): Promise<void> {
  const { key, stored, ...before } = progress
  const value = JSON.stringify({ ...before, ...reached })
  const rows =
    stored === null
      ? await sql
          .insertInto('meta')
          .values({ key, value })
          .onConflict(oc => oc.column('key').doNothing())
          .returning('key')
          .execute()
      : await sql
          .updateTable('meta')
          .set({ value })
          .where('key', '=', key)
          .where('value', '=', stored)
          .returning('key')
          .execute()
  if (rows.length === 0) {
    throw new Refusal('conflict', 'another import writes into this database: import again when it is over')
  }
  Object.assign(progress, reached, { stored: value })
}
