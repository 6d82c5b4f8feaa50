/** The metrics of this process for Prometheus. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PingQueue } from '../actions/pings/record-pings.js'
import { systemClock } from '../lib/clock.js'
import { Metrics } from '../lib/metrics.js'
import { packageVersion } from '../lib/package-root.js'
import type { HeldCounts } from '../storage/alerts/messages.js'
import type { InstanceState } from '../storage/instance/instance.js'
import type { StoreWith } from '../storage/store.js'

/** Seconds. */
const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const LONG = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export interface ProcessMetrics {
  /** Notes that a batch of pings was committed after `ms`. */
  noteBatch(size: number, ms: number): void
  /** Notes the outcome of an attempt at a delivery, `lagMs` after there was something to send. */
  noteDelivery(event: { kind: string; outcome: string; lagMs: number; isDropped: boolean }): void
  /** Notes how many deliveries began to be held, by reason. */
  noteHeld(counts: HeldCounts): void
  /** Notes the outcome of an attempt to send an e-mail to a person. */
  noteMail(event: { kind: string; outcome: string }): void
  /** Reads the remaining values and returns all metrics as text. */
  text(store: StoreWith<'instance.state'>, pings: PingQueue, worker: WorkerState): Promise<string>
}

/** What the loops of this process know. */
export interface WorkerState {
  /** The result of the canary's newest request; null if there is none. */
  pingsReached: boolean | null
  /** The number of things that wait because a row of theirs cannot be written or read: see `Failed`. */
  setAside: number
}

/** Starts counting. `watched`: also measures the event loop. */
export function processMetrics(watched: boolean): ProcessMetrics {
  const metrics = new Metrics()
  const pings = metrics.counter('punctual_pings_total', 'Pings written by this process.')
  const batch = metrics.histogram('punctual_ping_batch_size', 'Pings in one commit.', SIZES)
  const commit = metrics.histogram(
    'punctual_commit_seconds',
    'From handing over a batch of pings to its commit.',
    SHORT,
  )
  const deliveries = metrics.counter('punctual_deliveries_total', 'Attempts at deliveries by this process.')
  const lag = metrics.histogram(
    'punctual_alert_lag_seconds',
    'From a change of status to its delivery.',
    LONG,
  )
  const held = metrics.counter(
    'punctual_alerts_held_total',
    'Alerts that this process began to hold or delay, by reason.',
  )
  const dropped = metrics.counter(
    'punctual_alerts_dropped_total',
    'Alerts that this process dropped, by reason.',
  )
  const mails = metrics.counter('punctual_mails_total', 'Attempts at e-mails to people by this process.')
  let read: { state: InstanceState | null; queue: PingQueue; now: number } & WorkerState
  addQueue(metrics, () => read)
  addInstance(metrics, () => read)
  metrics.gauge(
    'punctual_ping_endpoint_up',
    'Whether the newest request of PING_CANARY reached the ping endpoint.',
    () => (read.pingsReached === null ? null : Number(read.pingsReached)),
  )
  metrics.gauge(
    'punctual_set_aside',
    'Checks, channels, incidents, deliveries, e-mails to people, and deletions that wait because a row cannot be written or read.',
    () => read.setAside,
  )
  addProcess(metrics, watched)
  return {
    noteBatch(size, ms) {
      pings({}, size)
      batch(size)
      commit(ms / 1000)
    },
    noteDelivery({ kind, outcome, lagMs, isDropped }) {
      deliveries({ kind, outcome })
      if (isDropped) dropped({ reason: outcome })
      if (outcome === 'sent') lag(lagMs / 1000)
    },
    noteHeld(counts) {
      for (const [reason, count] of Object.entries(counts)) held({ reason }, count)
    },
    noteMail: ({ kind, outcome }) => mails({ kind, outcome }),
    async text(store, queue, worker) {
      const now = systemClock.now()
      const state = await Promise.race([store.instance.state(now).catch(() => null), noAnswer()])
      read = { state, queue, now, ...worker }
      return metrics.text()
    },
  }
}

function addQueue(metrics: Metrics, read: () => { queue: PingQueue; now: number }): void {
  metrics.gauge('punctual_ping_queue_length', 'Pings that wait to be written.', () => read().queue.length)
  metrics.gauge(
    'punctual_pings_locked',
    'Pings that wait because another transaction has locked their check, or what its alerts need.',
    () => read().queue.locked,
  )
  metrics.gauge(
    'punctual_ping_queue_age_seconds',
    'How long the oldest ping has waited that is not written.',
    () => {
      const { queue, now } = read()
      return sinceSeconds(queue.oldestAt, now)
    },
  )
  metrics.total(
    'punctual_pings_failed_total',
    'Pings and tries of its own that could not be written.',
    () => read().queue.hearing.missed.failures,
  )
}

function addInstance(
  metrics: Metrics,
  read: () => { state: InstanceState | null; queue: PingQueue; now: number },
): void {
  const gauge = (name: string, help: string, value: (state: InstanceState, now: number) => number) =>
    metrics.gauge(name, help, () => {
      const { state, now } = read()
      return state === null ? null : value(state, now)
    })
  metrics.gauge(
    'punctual_database_up',
    'Whether the database answers and takes the pings of this process.',
    () => (read().state === null || read().queue.hearing.missed.isFailing ? 0 : 1),
  )
  gauge(
    'punctual_beat_age_seconds',
    'How long ago a process of the instance last took pings.',
    (state, now) => sinceSeconds(state.beatAt, now),
  )
  gauge(
    'punctual_watcher_lag_seconds',
    'How late the watcher is for the check that is due first.',
    (state, now) => sinceSeconds(state.wakeAt, now),
  )
  gauge('punctual_deliveries_waiting', 'Deliveries that are to be made.', state => state.deliveries)
  gauge('punctual_delivery_wait_seconds', 'How long ago the oldest of them was made.', (state, now) =>
    sinceSeconds(state.oldestDelivery, now),
  )
  gauge(
    'punctual_deliveries_held',
    'Deliveries that wait for the end of a silence, of what their check depends on, of an acknowledgement, or of flapping.',
    state => state.heldDeliveries,
  )
  gauge('punctual_incidents_open', 'Incidents that are open.', state => state.openIncidents)
  gauge('punctual_mails_waiting', 'E-mails to people that are not sent yet.', state => state.mails)
  gauge('punctual_mail_wait_seconds', 'How long ago the oldest of them was made.', (state, now) =>
    sinceSeconds(state.oldestMail, now),
  )
  gauge(
    'punctual_outages',
    'Times in which the instance could not take pings, in the last hundred days.',
    state => state.outages,
  )
  gauge('punctual_hold_seconds', 'How long deadlines are still held after an outage.', (state, now) =>
    state.heldUntil === null ? 0 : Math.max(0, (state.heldUntil - now) / 1000),
  )
  gauge('punctual_uploads_waiting', 'Bodies on their way to object storage.', state => state.uploads)
  gauge('punctual_removals_waiting', 'Objects to be removed from object storage.', state => state.removals)
}

function addProcess(metrics: Metrics, watched: boolean): void {
  if (watched) {
    const delay = monitorEventLoopDelay()
    delay.enable()
    const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
    metrics.gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last reading.', () =>
      seconds(delay.percentile(99)),
    )
    metrics.gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay since the last reading.', () => {
      const longest = seconds(delay.max)
      delay.reset()
      return longest
    })
  }
  const memory = () => process.memoryUsage()
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => memory().rss)
  metrics.gauge('nodejs_heap_size_used_bytes', 'Heap in use by the main thread.', () => memory().heapUsed)
  const cpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  metrics.total('process_cpu_seconds_total', 'Processor time of the process.', cpu)
  const startedAt = Math.round(systemClock.now() / 1000 - process.uptime())
  metrics.gauge('process_start_time_seconds', 'When the process started.', () => startedAt)
  const versions = { version: packageVersion, node: process.version }
  metrics.gauge('punctual_info', 'The versions, as labels.', () => 1, versions)
}

/** Scrapers wait ten seconds; they get an answer before that even if the database hangs. */
const ANSWER_MS = 5_000

async function noAnswer(): Promise<null> {
  return await sleep(ANSWER_MS, null, { ref: false })
}

/** Seconds since `at`; 0 if it is in the future or null. */
function sinceSeconds(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, (now - at) / 1000)
}
