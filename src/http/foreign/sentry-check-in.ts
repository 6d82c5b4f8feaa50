/** A check-in of Sentry Crons. Source: https://develop.sentry.dev/sdk/telemetry/check-ins/ */
import { z } from 'zod'
import { LONGEST_DURATION_SECONDS } from '../../core/checks/run-fields.js'
import { Refusal } from '../../core/errors.js'
import { once } from '../../lib/once.js'

const MINUTE_SECONDS = 60
const UNIT_SECONDS = {
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
} as const

/** What Sentry takes where a monitor's config does not say it, in minutes. */
const DEFAULT_MARGIN = 1
const DEFAULT_MAX_RUNTIME = 30

/** The most failures or successes that a check counts; Sentry counts up to 720. */
const MOST_COUNTED = 100

const wholeNumber = () => z.number().int().min(0).nullish()

const monitorConfig = once(() =>
  z.object({
    schedule: z.discriminatedUnion('type', [
      z.object({ type: z.literal('crontab'), value: z.string() }),
      z.object({
        type: z.literal('interval'),
        value: z.number().int().positive(),
        unit: z.enum(Object.keys(UNIT_SECONDS) as (keyof typeof UNIT_SECONDS)[]),
      }),
    ]),
    checkin_margin: wholeNumber(),
    max_runtime: wholeNumber(),
    timezone: z.string().nullish(),
    failure_issue_threshold: wholeNumber(),
    recovery_threshold: wholeNumber(),
  }),
)

const checkIn = once(() =>
  z.object({
    check_in_id: z
      .string()
      .regex(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i)
      .nullish(),
    monitor_slug: z.string().min(1).max(1_000),
    status: z.enum(['in_progress', 'ok', 'error']),
    environment: z.string().max(1_000).nullish(),
    duration: z.number().nullish(),
    monitor_config: monitorConfig().nullish(),
  }),
)

type MonitorConfig = z.output<ReturnType<typeof monitorConfig>>

export interface CheckIn extends Omit<z.output<ReturnType<typeof checkIn>>, 'check_in_id'> {
  /** As a run ID; null: the run under way. */
  check_in_id: string | null
  durationMs: number | null
}

/** Reads a check-in. Throws a `Refusal` that names the first wrong field. */
export function parseCheckIn(value: unknown): CheckIn {
  const { success, data, error } = checkIn().safeParse(value)
  if (!success) {
    const [issue] = error.issues
    throw new Refusal('invalid', `check-in: ${issue!.path.join('.')}: ${issue!.message}`)
  }
  const { duration } = data
  const isKnown = duration != null && duration >= 0 && duration <= LONGEST_DURATION_SECONDS
  return {
    ...data,
    check_in_id: runId(data.check_in_id ?? ''),
    durationMs: isKnown ? Math.round(duration * 1000) : null,
  }
}

/** Sentry writes UUIDs without hyphens too; one of zeros means the latest check-in that is in progress. */
function runId(id: string): string | null {
  const digits = id.replaceAll('-', '').toLowerCase()
  if (/^0*$/.test(digits)) return null
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The settings of a check, as in Punctual's own API, for a monitor's config. */
export function settingsOf(config: MonitorConfig): object {
  const { schedule } = config
  const timing =
    schedule.type === 'crontab'
      ? { schedule: schedule.value, tz: config.timezone ?? 'UTC' }
      : { period: schedule.value * UNIT_SECONDS[schedule.unit] }
  const counted = (number: number | null | undefined) => Math.min(Math.max(number ?? 1, 1), MOST_COUNTED)
  return {
    ...timing,
    start_within: Math.max(config.checkin_margin ?? DEFAULT_MARGIN, 1) * MINUTE_SECONDS,
    max_duration: Math.max(config.max_runtime ?? DEFAULT_MAX_RUNTIME, 1) * MINUTE_SECONDS,
    track_runs: 'each',
    failures_to_alert: counted(config.failure_issue_threshold),
    tolerated: ['failed', 'missed', 'overrun'],
    successes_to_recover: counted(config.recovery_threshold),
  }
}
