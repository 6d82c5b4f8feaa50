import { type BodyStore, createBodyStore } from '../actions/pings/read-bodies.js'
import type { Config } from '../config.js'
import { objectsJob } from '../jobs/objects.js'
import { systemClock } from '../lib/clock.js'
import type { Log } from '../lib/log/log.js'
import type { Store } from '../storage/store.js'

/** How much longer (ms) a lease lasts than the longest exchange. */
const LEASE_MARGIN_MS = 15_000

/** The largest body that is read back, in bytes: e-mails may be larger than the default limit of pings. */
const LARGEST_BODY = 16_777_216

/** While the storage fails, it is logged once a minute. */
const LOG_EVERY_MS = 60_000

/**
 * What reads bodies from object storage and the job that writes them; nulls if none is configured. `close`
 * ends the connections of both.
 */
export async function openObjectStorage(
  config: Config,
  store: Store,
  log: Log,
  onError: (error: unknown) => void,
): Promise<{
  bodies: BodyStore | null
  objects: ReturnType<typeof objectsJob> | null
  close(): Promise<void>
}> {
  if (config.S3_BUCKET === '') return { bodies: null, objects: null, close: async () => {} }
  const { S3Client } = await import('../lib/s3/s3-client.js')
  const client = new S3Client({
    endpoint: config.S3_ENDPOINT,
    secure: config.S3_SECURE,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    timeoutMs: config.S3_TIMEOUT * 1000,
    maxBytes: Math.max(LARGEST_BODY, config.PING_BODY_LIMIT ?? 0),
  })
  await store.pings.noteObjectStorage()
  const onFailure = failureReporter(log)
  const objects = objectsJob({
    store,
    objects: client,
    clock: systemClock,
    leaseMs: config.S3_TIMEOUT * 1000 + LEASE_MARGIN_MS,
    onFailure,
    onError,
  })
  const bodies = createBodyStore(client, systemClock, onFailure)
  return { bodies, objects, close: () => client.close() }
}

function failureReporter(log: Log): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return error => {
    const now = systemClock.now()
    if (Math.abs(now - loggedAt) < LOG_EVERY_MS) return
    loggedAt = now
    log.warn(
      'the storage of ping bodies does not answer as it should; bodies stay in the database meanwhile',
      {
        reason: error instanceof Error ? error.message : String(error),
      },
    )
  }
}
