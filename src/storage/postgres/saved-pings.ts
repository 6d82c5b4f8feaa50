/** Pings of cached checks: what is saved, and what follows from what was. */
import type { ArrivedPing, RecordedPings } from '../../core/pings/arrived-ping.js'
import type { StoreSettings } from '../db.js'
import { PartAway } from '../pings/recording/part-away.js'
import { checksToPrune, type PingPlan } from '../pings/recording/ping-plan.js'
import { joinParts } from '../pings/recording/recorded-parts.js'
import type { Workers } from './citus/workers.js'
import type { Connections } from './connections.js'
import type { Saved } from './dialect.js'
import type { KnownChecks } from './known-checks.js'
import type { SavedKnown } from './save-statements.js'

/** The context of recording pings. */
export interface Recording {
  connections: Connections
  known: KnownChecks
  settings: StoreSettings
  /** The servers that have the checks, if Citus distributes them. */
  workers?: Workers
  /** Prunes, some time later, the checks whose log was too long at `now` (ms). */
  prune(checkIds: readonly number[], now: number): void
}

/** The checks of a plan, in the order in which rows are locked elsewhere; the server mostly keeps it. */
export function requestOf(plan: PingPlan, versionOf: (uuid: string) => string): SavedKnown[] {
  const inOrder = plan.touched.toSorted((a, b) => (a.check.uuid < b.check.uuid ? -1 : 1))
  return inOrder.map(({ check, before }) => ({ check, before, version: versionOf(check.uuid) }))
}

/** Notes which checks were saved, and returns the outcomes. Pings of those that others had changed go to `record`. */
export async function settleSaved(
  { known, settings, prune }: Recording,
  plan: PingPlan,
  pings: readonly ArrivedPing[],
  saved: Saved,
  record: (rest: readonly ArrivedPing[]) => Promise<RecordedPings>,
): Promise<RecordedPings> {
  const changed = new Set<string>()
  for (const { check } of plan.touched) {
    const version = saved.versionOf(check.id)
    known.used(check, version ?? null)
    if (version === undefined && !saved.failed?.has(check.uuid)) changed.add(check.uuid)
  }
  const toPrune = checksToPrune(plan, settings.pingLogLimit).filter(id => saved.versionOf(id) !== undefined)
  prune(toPrune, plan.rows[0]!.created_at)
  const recorded = saved.failed ? withRefused(plan.result, pings, saved.failed) : plan.result
  if (changed.size === 0) return recorded
  const isChanged = (place: number) => changed.has(uuidOf(pings[place]!))
  const places = [...pings.keys()]
  const [rest, done] = [places.filter(isChanged), places.filter(place => !isChanged(place))]
  const outcomes = done.map(place => recorded.outcomes[place]!)
  const away = new Map(
    done.flatMap((place, at) => (recorded.away?.has(place) ? [[at, recorded.away.get(place)!]] : [])),
  )
  const others = { ...recorded, outcomes, ...(away.size > 0 && { away }) }
  return await joinParts([
    ...(done.length > 0 ? [{ places: done, recorded: Promise.resolve(others) }] : []),
    { places: rest, recorded: record(rest.map(place => pings[place]!)) },
  ])
}

/** The outcomes, with the pings of failed checks refused. */
function withRefused(
  recorded: RecordedPings,
  pings: readonly ArrivedPing[],
  failed: ReadonlyMap<string, Error>,
): RecordedPings {
  const away = new Map<number, string>()
  let refusal: Error | undefined
  const outcomes = pings.map((ping, place) => {
    const error = failed.get(uuidOf(ping))
    if (!error) return recorded.outcomes[place]!
    if (error instanceof PartAway) away.set(place, error.part)
    // Those whose server is there are tried again, or refused for this reason.
    if (!refusal || refusal instanceof PartAway) refusal = error
    return 'refused'
  })
  return { ...recorded, outcomes, ...(refusal && { refusal }), ...(away.size > 0 && { away }) }
}

/** Pings of cached checks have one. */
function uuidOf({ target }: ArrivedPing): string {
  return 'uuid' in target ? target.uuid : ''
}
