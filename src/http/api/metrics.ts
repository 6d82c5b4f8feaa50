import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { toJson } from '../../core/wire/json.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import type { Operation } from './operation.js'
import { metricsSchema } from './schemas.js'

export const getMetrics: Operation = {
  id: 'getMetrics',
  summary: 'Get the counters of the whole instance',
  description: 'Served where `METRICS_KEY` is set, to those who send it.',
  key: 'none',
  headers: [{ name: 'X-Metrics-Key', description: 'The value of `METRICS_KEY`.', schema: z.string() }],
  responses: { 200: { description: 'The counters.', schema: metricsSchema } },
  errors: { 403: 'The `X-Metrics-Key` is missing or wrong, or `METRICS_KEY` is not set.' },
  async handle({ deps, header, now }) {
    if (!isKey(header('X-Metrics-Key'), deps.config.METRICS_KEY)) {
      throw new Refusal('forbidden', 'wrong metrics key')
    }
    const metrics = await deps.store.instance.metrics()
    const shape = {
      ts: Math.floor(now / 1000),
      max_ping_id: metrics.maxPingId,
      max_notification_id: metrics.maxNotificationId,
      num_unprocessed_flips: metrics.unprocessedFlips,
    }
    return { status: 200, body: toJson(shape) }
  },
}

/** Compares digests, so that timing reveals nothing about the key. */
function isKey(sent: string | null, key: string | null): boolean {
  if (sent === null || !key) return false
  return timingSafeEqual(Buffer.from(digestOf(sent)), Buffer.from(digestOf(key)))
}
