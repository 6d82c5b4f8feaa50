import { Refusal } from '../../core/errors.js'
import { acknowledgedUntil, cleanNote } from '../../core/incidents/acknowledgement.js'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import type { StoreWith } from '../../storage/store.js'
import { acknowledgeInSlices } from './acknowledge-incidents.js'
import { findByLink, type LinkDeps, type LinkTarget, linkAuthor, type MessageLink } from './message-link.js'

export interface AcknowledgeDeps extends LinkDeps {
  store: LinkDeps['store'] & StoreWith<'incidents.acknowledge'>
}

/** The maximum number of incidents in one call of the store. */
const AT_ONCE = 1_000

/** `until` (ms): null for as long as the incident is open. */
interface Wanted {
  note: string
  until: number | null
}

/**
 * Acknowledges what a link leads to as far as it is open and nobody has done so yet, because an acknowledgement of
 * somebody else stays, with its note and its end. `by`: who does it, if not simply the link. Returns what the link leads
 * to afterwards, and the IDs of what was acknowledged now; null as `findByLink`. Throws as `acknowledgeIncidents`.
 */
export async function acknowledgeByLink(
  deps: AcknowledgeDeps,
  link: MessageLink,
  { note = '', until = null }: Partial<Wanted> = {},
  by: string | null = null,
): Promise<(LinkTarget & { acknowledged: number[] }) | null> {
  const found = await findByLink(deps, link)
  if (!found) return null
  const now = deps.clock.now()
  const wanted = {
    by: by ?? linkAuthor(found.channel),
    now,
    note: cleanNote(note),
    until: acknowledgedUntil(until, now),
    onlyNew: true,
  }
  const ids = found.incidents.filter(isOpen).map(({ id }) => id)
  const acknowledged: number[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    acknowledged.push(...(await acknowledge(deps.store, found.channel.projectId, some, wanted)))
  }
  return { ...((await findByLink(deps, link)) ?? found), acknowledged }
}

async function acknowledge(...asked: Parameters<typeof acknowledgeInSlices>): Promise<number[]> {
  try {
    return await acknowledgeInSlices(...asked)
  } catch (error) {
    // It has just closed.
    if (error instanceof Refusal && error.code === 'conflict') return []
    throw error
  }
}

/** Whether an incident is open and nobody has acknowledged it. */
export function isOpen({ closedAt, acknowledged }: ListedIncident): boolean {
  return closedAt === null && acknowledged === null
}
