import { Refusal } from '../../core/errors.js'
import { bodyKey } from '../../core/pings/body-key.js'
import { CircuitBreaker } from '../../lib/circuit-breaker.js'
import type { Clock } from '../../lib/clock.js'
import type { S3Client } from '../../lib/s3/s3-client.js'

/** The object storage that holds large ping bodies. */
export interface BodyStore {
  /**
   * A body's bytes, or null if there is no such object. Rejects with a `Refusal('unavailable')` if
   * the storage does not answer.
   */
  read(checkUuid: string, n: number): Promise<Uint8Array | null>
}

/** A page, a program or an alert waits for the body. */
const READ_TIMEOUT_MS = 5_000

/** After this many failures within a minute, the storage is not asked. Source: docs/behaviour.md, section 3.5. */
const FAILURES = 3
const WINDOW_MS = 60_000

/** Reads bodies from object storage. While the storage fails, reads are refused at once. */
export function createBodyStore(
  objects: Pick<S3Client, 'get'>,
  clock: Clock,
  onFailure: (error: unknown) => void,
): BodyStore {
  const breaker = new CircuitBreaker(clock, FAILURES, WINDOW_MS)
  const unavailable = () =>
    new Refusal('unavailable', 'the storage of ping bodies does not answer, try again later')
  return {
    async read(checkUuid, n) {
      if (breaker.isOpen) throw unavailable()
      try {
        return await objects.get(bodyKey(checkUuid, n), READ_TIMEOUT_MS)
      } catch (error) {
        breaker.noteFailure()
        onFailure(error)
        throw unavailable()
      }
    },
  }
}
