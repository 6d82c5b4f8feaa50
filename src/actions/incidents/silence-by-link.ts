import type { StoreWith } from '../../storage/store.js'
import { snoozeChecks } from '../silences/snooze-checks.js'
import { findByLink, type LinkDeps, type LinkTarget, linkAuthor, type MessageLink } from './message-link.js'

export interface SilenceDeps extends LinkDeps {
  store: LinkDeps['store'] & StoreWith<'silences.create' | 'silences.list' | 'silences.update'>
}

/**
 * Holds the alerts of the checks that a link leads to, as far as their incidents are open, from now until `until` (ms).
 * A second choice for the same checks changes the end of the first. Returns what the link leads to, and whether anything is
 * silenced; null as `findByLink`. Throws as the store's `silences.create`.
 */
export async function silenceByLink(
  deps: SilenceDeps,
  link: MessageLink,
  until: number,
): Promise<(LinkTarget & { silenced: boolean }) | null> {
  const found = await findByLink(deps, link)
  if (!found) return null
  const uuids = found.incidents.flatMap(({ closedAt, check }) =>
    closedAt === null && check.uuid !== null ? [check.uuid] : [],
  )
  if (uuids.length === 0) return { ...found, silenced: false }
  const { store, clock } = deps
  const { projectId } = found.channel
  const now = clock.now()
  const by = linkAuthor(found.channel)
  const before = await findOwn(store, projectId, { uuids, by, now })
  if (before === null) await snoozeChecks(store, { projectId, uuids, until, by, now })
  else await store.silences.update(projectId, before, { times: { kind: 'once', from: null, to: until }, now })
  return { ...found, silenced: true }
}

/** The ID of the active silence of exactly these checks that such a link has made; null if there is none. */
async function findOwn(
  store: SilenceDeps['store'],
  projectId: number,
  { uuids, by, now }: { uuids: readonly string[]; by: string; now: number },
): Promise<number | null> {
  const wanted = new Set(uuids)
  const own = (await store.silences.list(projectId, now)).find(
    ({ createdBy, state, times, namedChecks }) =>
      createdBy === by &&
      state === 'active' &&
      times.kind === 'once' &&
      namedChecks?.length === wanted.size &&
      namedChecks.every(({ uuid }) => wanted.has(uuid)),
  )
  return own?.id ?? null
}
