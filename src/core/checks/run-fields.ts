/** The fields of runs, tolerance and early pings. Their rules are in docs/runs.md. */
import {
  type CheckField,
  choice,
  number,
  optionalNumber,
  optionalSeconds,
  seconds,
  text,
} from './check-field.js'

const DAY_SECONDS = 86_400
const YEAR_SECONDS = 365 * DAY_SECONDS

/** The longest limit of a run, and the longest duration that a client may report. */
export const LONGEST_DURATION_SECONDS = 30 * DAY_SECONDS

export const RUN_FIELDS = {
  /** Null: within the grace time. */
  startWithinSeconds: {
    row: 'state',
    column: 'start_within',
    type: optionalSeconds(1, YEAR_SECONDS),
    default: null,
    timing: 'schedule',
    about: 'Seconds after the due time within which a job must start or finish. Null: the grace time.',
    form: {
      part: 'runs',
      label: 'Start within',
      help: 'How soon after it is due the job must start or finish; empty: within the grace time',
    },
  },
  /** Null: the grace time. */
  maxDurationSeconds: {
    row: 'state',
    column: 'max_duration',
    type: optionalSeconds(1, LONGEST_DURATION_SECONDS),
    default: null,
    timing: 'limit',
    about: 'Seconds that a run may take. Null: the grace time.',
    form: {
      part: 'runs',
      label: 'Longest run',
      help: 'A run that takes longer is a failure; empty: the grace time',
      row: 'durations',
    },
  },
  minDurationSeconds: {
    row: 'state',
    column: 'min_duration',
    type: optionalSeconds(1, LONGEST_DURATION_SECONDS),
    default: null,
    about: 'A success whose duration is known and shorter than these seconds is a failure.',
    form: {
      part: 'runs',
      label: 'Shortest run',
      help: 'A success that took less is a failure, where its duration is known',
      row: 'durations',
    },
  },
  trackRuns: {
    row: 'state',
    column: 'track_runs',
    type: choice('latest', 'each'),
    default: 'latest',
    timing: 'schedule',
    about: '`latest`: a new start replaces the run before it. `each`: every run has its own deadline.',
    form: {
      part: 'runs',
      label: 'Runs that overlap',
      options: {
        latest: { label: 'Follow the latest run', help: 'A new start takes the place of the run before it' },
        each: {
          label: 'Follow every run',
          help: 'Each has its own limit; the job sends a run ID with its pings',
        },
      },
    },
  },
  failuresToAlert: {
    row: 'state',
    column: 'failures_to_alert',
    type: number(1, 100),
    default: 1,
    about: 'The check goes down at this failure.',
    form: {
      part: 'runs',
      label: 'Failures until it is down',
      help: '1: it goes down at the first failure',
      row: 'failures',
      emptyIsDefault: true,
    },
  },
  /** Null: in a row. At least `failuresToAlert`: a smaller number counts as that. */
  failureWindow: {
    row: 'state',
    column: 'failure_window',
    type: optionalNumber(1, 100),
    default: null,
    about: 'Failures are counted among this number of results. Null: failures in a row are counted.',
    form: {
      part: 'runs',
      label: 'Among the last results',
      help: 'Empty: only failures in a row count',
      row: 'failures',
    },
  },
  /** Separated by commas, in the order of the list of causes. */
  tolerated: {
    row: 'state',
    column: 'tolerated',
    type: text({ maxLength: 100, format: 'causes' }),
    default: 'failed',
    about: 'The causes of failures that are counted; any other takes the check down at once.',
    form: {
      part: 'runs',
      label: 'Failures to count; any other takes it down at once',
      options: {
        failed: { label: 'Failures that the job reports' },
        missed: { label: 'Missed runs' },
        overrun: { label: 'Runs that take too long' },
        too_short: { label: 'Runs that end too soon' },
      },
    },
  },
  successesToRecover: {
    row: 'state',
    column: 'successes_to_recover',
    type: number(1, 100),
    default: 1,
    about: 'A check that is down comes up at this success in a row.',
    form: {
      part: 'runs',
      label: 'Successes until it is up',
      help: 'In a row, once it is down',
      row: 'successes',
      emptyIsDefault: true,
    },
  },
  /** Codes and ranges, separated by commas. */
  successExitCodes: {
    row: 'state',
    column: 'success_exit_codes',
    type: text({ maxLength: 200, format: 'exit-codes' }),
    default: '0',
    about: 'The exit statuses that are successes, such as `0,3,100-110`.',
    form: {
      part: 'runs',
      label: 'Exit statuses of a success',
      help: 'Codes and ranges, such as 0,3,100-110',
      row: 'successes',
      mono: true,
      emptyIsDefault: true,
    },
  },
  earlySeconds: {
    row: 'state',
    column: 'early',
    type: seconds(0, DAY_SECONDS),
    default: 0,
    about: 'A ping this many seconds before an occurrence belongs to it. Cron and OnCalendar only.',
    form: {
      part: 'runs',
      label: 'Early pings',
      help: 'A ping this long before the scheduled time belongs to that time',
      emptyIsDefault: true,
      onlyScheduled: true,
      proposed: 60,
    },
  },
} as const satisfies Record<string, CheckField>
