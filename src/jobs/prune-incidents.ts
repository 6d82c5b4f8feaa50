import { pruneIncidents } from '../actions/instance/prune-incidents.js'
import type { Clock } from '../lib/clock.js'
import type { StoreWith } from '../storage/store.js'
import { Every } from './every.js'

const HOUR_MS = 3_600_000

export interface PruneIncidentsDeps {
  store: StoreWith<'incidents.prune' | 'silences.prune' | 'events.prune'>
  clock: Clock
  onError(error: unknown): void
}

/** Deletes old incidents, silences and events once an hour; `keepDays`: how long incidents are kept after their end. */
export function pruneIncidentsJob({ store, clock, onError }: PruneIncidentsDeps, keepDays: number): Every {
  return new Every(HOUR_MS, signal => pruneIncidents(store, clock, keepDays, signal), onError)
}
