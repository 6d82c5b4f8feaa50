/**
 * Histories worked through by hand: what a check is after each event. The rules are in docs/runs.md.
 *
 * A time is `HH:MM` or `HH:MM:SS` UTC of 2 March 2026 (a Monday), with a day of the month before it if it is another day.
 * Run IDs are letters.
 *
 * Events: `start`, `success`, `fail`, `log`, each with a run ID or not (`success a`); `exit 3`; `success for 45` with
 * `?duration=45`; `success at 09:00`, which arrives now and is from 09:00; `pause`; `resume`; `set` with the settings after it; `look`: time passes and the watcher looks;
 * `restart`.
 *
 * Expected, separated by `; `: the status shown at that instant first, then
 * - `due T`: the due time. Without it there is none.
 * - `down T`: the next deadline, which takes the check down. `count T`: the next deadline, which is only counted.
 * - `run T`: the unfinished run, with `track_runs: latest`. `runs a T, b T`: those of `each`; `-` is a run without ID. `over`
 *   after it: its deadline, or that of its occurrence, has passed.
 * - `failing 1/3 since T`, `recovering 2` (successes so far).
 * - `took 45s`: the duration of the run that ended. Not looked at if it is not given.
 * - `flip up→down missed T since T`: a flip, with its cause, its time if that is not the event's, and the beginning of the
 *   incident if that is earlier.
 * - `passed missed T`: a deadline that passed, as it is logged.
 */
export interface History {
  name: string
  settings: HistorySettings
  /** Another month than March 2026. */
  month?: string
  /** Outages of Punctual: deadlines from the first instant on wait until the second. */
  holds?: [from: string, until: string][]
  steps: Step[]
}

export type Step = [at: string, event: string, expected: string, set?: HistorySettings]

/** By the names in the native API. Durations in seconds. Grace is 600 and the time zone UTC unless given. */
export interface HistorySettings {
  timeout?: number
  schedule?: string
  tz?: string
  grace?: number
  manual_resume?: boolean
  start_within?: number | null
  max_duration?: number | null
  min_duration?: number | null
  track_runs?: 'latest' | 'each'
  failures_to_alert?: number
  failure_window?: number | null
  tolerated?: string
  successes_to_recover?: number
  success_exit_codes?: string
  early?: number
}

export const hourly: HistorySettings = { schedule: '0 * * * *' }
export const everyHour: HistorySettings = { timeout: 3_600 }
