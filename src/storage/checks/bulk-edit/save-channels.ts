/** Writes the channels of many checks, in the transaction of the caller. */
import type { Values } from '../../../core/checks/bulk-edit/edit-check.js'
import { appendTo } from '../../../lib/append-to.js'
import { endTargets, withMembers } from '../../alerts/links/end-targets.js'
import { oweAgain } from '../../alerts/links/owe-again.js'
import { restoreLinks } from '../../alerts/links/restore-links.js'
import { addLinks, type Links, removeLinks } from '../../channels/write-links.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { LoadedCheck } from '../../dialect.js'
import type { EditableCheck } from './editable.js'

/** A check with its state, locked, and its new values. */
export interface Write {
  one: EditableCheck
  loaded: LoadedCheck
  values: Values
}

/** Either the edit can be undone, until an instant (ms), or an edit made at an instant is undone. */
export type Undoing = { undoableUntil: number } | { undoes: number }

/**
 * Only the links that differ are written: others that change at the same time stay. Returns whether something may have to be sent because
 * of it.
 */
export async function saveChannels(
  db: Db,
  writes: readonly Write[],
  now: number,
  undoing: Undoing,
): Promise<boolean> {
  const changed = writes.flatMap(({ one, values }) =>
    values.channels ? [{ check: one.check.id, before: one.channels, after: values.channels }] : [],
  )
  if (changed.length === 0) return false
  const ids = await channelIds(
    db,
    changed.flatMap(({ before, after }) => [...before, ...after]),
  )
  const added = linksOf(changed, ids, ({ before, after }) => without(after, before))
  const removed = linksOf(changed, ids, ({ before, after }) => without(before, after))
  await addLinks(db, added)
  await removeLinks(db, removed)
  const ends = await endRemoved(db, removed, now, 'undoes' in undoing ? now : undoing.undoableUntil)
  if (!('undoes' in undoing)) {
    const linked = new Set(added.flatMap(({ checkIds }) => checkIds))
    return (await oweAgain(db, [...linked], now)) || ends
  }
  let restored = false
  for (const { checkIds, channelIds } of added) {
    const links = { checkIds, channelIds: await withMembers(db, channelIds), removedAt: undoing.undoes }
    if (await restoreLinks(db, links, now)) restored = true
  }
  return restored || ends
}

async function endRemoved(db: Db, removed: readonly Links[], now: number, dueAt: number): Promise<boolean> {
  const checkIds = [...new Set(removed.flatMap(({ checkIds }) => checkIds))]
  if (checkIds.length === 0) return false
  return await endTargets(db, { checkIds }, 'unlinked', now, dueAt)
}

interface Changed {
  check: number
  /** UUIDs. */
  before: readonly string[]
  after: readonly string[]
}

/** Checks of which the same channels are chosen, together. Channels that are not there any more are left out. */
function linksOf(
  changed: readonly Changed[],
  ids: ReadonlyMap<string, number>,
  choose: (one: Changed) => readonly string[],
): Links[] {
  const checks = new Map<string, number[]>()
  for (const one of changed) {
    const channels = choose(one).flatMap(uuid => ids.get(uuid) ?? [])
    if (channels.length > 0) appendTo(checks, channels.join(), one.check)
  }
  return [...checks].map(([key, checkIds]) => ({ checkIds, channelIds: key.split(',').map(Number) }))
}

function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Set(others)
  return some.filter(uuid => !left.has(uuid))
}

async function channelIds(db: Db, uuids: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const some of chunks([...new Set(uuids)], db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('channels')
      .select(['id', 'uuid'])
      .where('uuid', 'in', some)
      .execute()
    for (const { id, uuid } of rows) ids.set(uuid, id)
  }
  return ids
}
