/** How far an import of one installation came, in the target's table `meta`. */
import type { Side } from '../copy/side.js'

export interface Progress {
  key: string
  /** The last IDs of the source that were imported. */
  pings: number
  notifications: number
  /** Whether the import came to its end once. */
  complete: boolean
}

/** The progress of the installation whose oldest project has this UUID. */
export async function loadProgress(side: Side | null, projectUuid: string): Promise<Progress> {
  const fresh = { key: `import healthchecks ${projectUuid}`, pings: 0, notifications: 0, complete: false }
  const row = await side?.sql
    .selectFrom('meta')
    .select('value')
    .where('key', '=', fresh.key)
    .executeTakeFirst()
  return row ? { ...fresh, ...JSON.parse(row.value) } : fresh
}

export async function saveProgress(side: Side, { key, ...rest }: Progress): Promise<void> {
  const value = JSON.stringify(rest)
  await side.sql
    .insertInto('meta')
    .values({ key, value })
    .onConflict(oc => oc.column('key').doUpdateSet({ value }))
    .execute()
}
