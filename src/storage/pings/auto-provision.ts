import { DEFAULT_SETTINGS } from '../../core/checks/check-fields.js'
import { ownValues } from '../../core/events/check-values.js'
import { linkToAll } from '../channels/write-links.js'
import { accountCheckCount, addToCount } from '../checks/checks.js'
import { insertCounted } from '../checks/create/insert-checks.js'
import type { Db } from '../db.js'
import { recordEvents } from '../events/record-events.js'
import { inOrder } from '../in-order.js'

/**
 * Creates the checks for pings to unknown slugs with `create=1` of a project that is locked, at the times `now`, linked to every
 * channel of the project. Returns their UUIDs in order: fewer than asked for if there is no more {@link roomForChecks}.
 * Source: docs/behaviour.md, section 1.4.
 */
export async function autoProvision(
  db: Db,
  projectId: number,
  asked: readonly { slug: string; now: number }[],
): Promise<string[]> {
  const room = await roomForChecks(db, projectId)
  const checks = asked.slice(0, room).map(({ slug, now }) => ({
    settings: { ...DEFAULT_SETTINGS, name: slug, slug },
    policyId: null,
    now,
  }))
  if (checks.length === 0) return []
  const [names] = await inOrder(
    db,
    () => insertCounted(db, projectId, checks),
    () => addToCount(db, projectId, checks.length),
  )
  await linkToAll(
    db,
    projectId,
    names.map(({ id }) => id),
  )
  const events = checks.map(({ settings, now }, place) => {
    const object = { id: names[place]!.uuid, name: settings.name }
    return { projectId, type: 'check.created' as const, object, after: ownValues(settings), at: now }
  })
  await recordEvents(db, events, checks[0]!.now)
  return names.map(({ uuid }) => uuid)
}

/** How many checks pings may still create in a project: its account may have twice its limit. */
export async function roomForChecks(db: Db, projectId: number): Promise<number> {
  return Math.max(0, 2 * db.settings.checkLimit - (await accountCheckCount(db, projectId)))
}
