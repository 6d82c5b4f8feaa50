import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Changes } from '../lib/changes.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'

/** The settings that the web side reads. */
export interface AppConfig {
  /** Base address without a trailing slash. */
  siteRoot: string
  /** What ping URLs begin with; ends with a slash. */
  pingEndpoint: string
  siteName: string
  /** Signs badge addresses. */
  secretKey: string
  /** What `X-Metrics-Key` must hold for the instance's metrics; null: they are not served. */
  metricsKey: string | null
  /** The label of a project's overall badge. */
  masterBadgeLabel: string
  /** Whether projects have an address for Prometheus. */
  prometheusEnabled: boolean
  /** Whether version 3 lists flips wrapped in an object, as versions 1 and 2 do. */
  wrapFlips: boolean
  /** Larger request bodies are refused, in bytes. */
  requestBodyLimit: number
}

/** The store that keeps large ping bodies outside the database. */
export interface BodyStore {
  /** A body's bytes, or null while it is not there. Rejects with a `Refusal('unavailable')` when it cannot be asked. */
  read(checkUuid: string, n: number): Promise<Uint8Array | null>
}

/** What the web side works with. */
export interface AppDeps {
  config: AppConfig
  store: Store
  clock: Clock
  changes: Changes
  /** Null where every body lies in the database. */
  bodies: BodyStore | null
  /** Called with what a request failed of, where that is not the sender's fault. */
  onError(error: unknown): void
}

/** What node:http brings along with a request. */
export interface Bindings {
  incoming: IncomingMessage
  outgoing: ServerResponse
}
