import { type History, hourly } from './history.js'

/** What people asked for, or found broken, in other monitors, with the numbers of the threads. */
export const THREADS: History[] = [
  {
    name: 'healthchecks#888: a machine whose clock is a minute ahead starts and ends before the hour',
    settings: { schedule: '0 1 * * *', grace: 3_600, early: 60 },
    steps: [
      ['01:00:25', 'success', 'up; due 3 01:00; down 3 02:00; flip new→up'],
      ['3 00:59:01', 'start', 'up; due 4 01:00; down 3 01:59:01; run 3 00:59:01'],
      ['3 00:59:26', 'success', 'up; due 4 01:00; down 4 02:00; took 25s'],
    ],
  },
  {
    name: 'healthchecks#830: the last ping of the evening, due at 22:51, comes at 22:50',
    settings: { schedule: '21,51 5-22 * * *', grace: 21_600, early: 60 },
    steps: [
      ['22:21:05', 'success', 'up; due 22:51; down 3 04:51; flip new→up'],
      ['22:50:10', 'success', 'up; due 3 05:21; down 3 11:21'],
      ['3 04:51', 'look', 'up; due 3 05:21; down 3 11:21'],
    ],
  },
  {
    name: 'healthchecks#236: a job of 50 minutes that ends after 17 has not done its work',
    settings: { schedule: '0 1 * * *', grace: 3_600, min_duration: 1_800 },
    steps: [
      ['01:00', 'start', 'new; down 02:00; run 01:00'],
      ['01:50', 'success', 'up; due 3 01:00; down 3 02:00; took 50m; flip new→up'],
      ['3 01:00', 'start', 'grace; due 3 01:00; down 3 02:00; run 3 01:00'],
      ['3 01:17', 'success', 'down; took 17m; flip up→down too_short'],
    ],
  },
  {
    name: 'healthchecks#236: a job of 01:00 that begins and ends at 00:58 is not missed',
    settings: { schedule: '0 1 * * *', grace: 3_600, early: 300 },
    steps: [
      ['01:00:05', 'success', 'up; due 3 01:00; down 3 02:00; flip new→up'],
      ['3 00:58', 'start', 'up; due 4 01:00; down 3 01:58; run 3 00:58'],
      ['3 00:58:40', 'success', 'up; due 4 01:00; down 4 02:00; took 40s'],
      ['3 02:00', 'look', 'up; due 4 01:00; down 4 02:00'],
    ],
  },
  {
    name: 'healthchecks#994: a dump whose first command failed in a pipe ends at once, with success',
    settings: { schedule: '0 2 * * *', grace: 3_600, min_duration: 60 },
    steps: [
      ['02:00', 'start', 'new; down 03:00; run 02:00'],
      ['02:04', 'success', 'up; due 3 02:00; down 3 03:00; took 4m; flip new→up'],
      ['3 02:00', 'start', 'grace; due 3 02:00; down 3 03:00; run 3 02:00'],
      ['3 02:00:01', 'exit 0', 'down; took 1s; flip up→down too_short'],
    ],
  },
  {
    name: 'healthchecks#525: a job that fails once a month and mends itself alerts nobody',
    settings: { schedule: '0 3 * * *', failures_to_alert: 2 },
    steps: [
      ['03:00:05', 'success', 'up; due 3 03:00; down 3 03:10; flip new→up'],
      ['3 03:00:05', 'fail', 'up; due 4 03:00; down 4 03:10; failing 1/2 since 3 03:00:05'],
      ['4 03:00:05', 'success', 'up; due 5 03:00; down 5 03:10'],
    ],
  },
  {
    name: 'healthchecks#587: one failure may pass, but a job that does not run is an alert at once',
    settings: { schedule: '0 3 * * *', failures_to_alert: 2 },
    steps: [
      ['03:00:05', 'fail', 'up; due 3 03:00; down 3 03:10; failing 1/2 since 03:00:05; flip new→up'],
      ['3 03:10', 'look', 'down; flip up→down missed since 03:00:05; passed missed 3 03:10'],
    ],
  },
  {
    name: 'healthchecks#715: an alert at the second failed download in a row',
    settings: { ...hourly, failures_to_alert: 2 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'fail', 'up; due 11:00; down 11:10; failing 1/2 since 10:00:05'],
      ['11:00:05', 'fail', 'down; flip up→down failed since 10:00:05'],
    ],
  },
  {
    name: 'healthchecks#858: a flaky job may fail twice in five runs',
    settings: { ...hourly, failures_to_alert: 3, failure_window: 5 },
    steps: [
      ['09:00:05', 'fail', 'up; due 10:00; down 10:10; failing 1/3 since 09:00:05; flip new→up'],
      ['10:00:05', 'success', 'up; due 11:00; down 11:10; failing 1/3 since 09:00:05'],
      ['11:00:05', 'fail', 'up; due 12:00; down 12:10; failing 2/3 since 09:00:05'],
      ['12:00:05', 'success', 'up; due 13:00; down 13:10; failing 2/3 since 09:00:05'],
      ['13:00:05', 'fail', 'down; flip up→down failed since 09:00:05'],
    ],
  },
  {
    name: 'healthchecks#559: exit status 3 of restic is a success',
    settings: { ...hourly, success_exit_codes: '0,3' },
    steps: [
      ['09:00', 'exit 3', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00', 'exit 1', 'down; flip up→down failed'],
    ],
  },
  {
    name: 'healthchecks#910: a backup has to start within a minute and may take six hours',
    settings: { schedule: '0 1 * * *', grace: 3_600, start_within: 60, max_duration: 21_600 },
    steps: [
      ['01:00:20', 'start', 'new; down 07:00:20; run 01:00:20'],
      ['05:30', 'success', 'up; due 3 01:00; down 3 01:01; took 4h29m40s; flip new→up'],
      ['3 01:01', 'look', 'down; flip up→down missed; passed missed 3 01:01'],
    ],
  },
  {
    name: 'healthchecks#268: a run that is stuck is found, though another succeeds meanwhile',
    settings: { timeout: 300, grace: 60, track_runs: 'each', max_duration: 60 },
    steps: [
      ['09:00', 'start a', 'new; down 09:01; runs a 09:00'],
      ['09:00:30', 'start b', 'new; down 09:01; runs a 09:00, b 09:00:30'],
      ['09:00:35', 'success b', 'up; due 09:05:35; down 09:01; runs a 09:00; took 5s; flip new→up'],
      ['09:01', 'look', 'down; runs a 09:00 over; flip up→down overrun; passed overrun 09:01'],
    ],
  },
  {
    name: 'healthchecks#547: a weekly job may run longer than its grace time',
    settings: { timeout: 604_800, grace: 21_600, max_duration: 86_400 },
    steps: [
      ['05:00', 'start', 'new; down 3 05:00; run 05:00'],
      ['11:00', 'look', 'new; down 3 05:00; run 05:00'],
      ['14:20', 'success', 'up; due 9 14:20; down 9 20:20; took 9h20m; flip new→up'],
    ],
  },
  {
    name: 'sentry#118344: two runs that time out within one look are one incident',
    settings: {
      timeout: 300,
      track_runs: 'each',
      max_duration: 600,
      failures_to_alert: 2,
      tolerated: 'overrun',
    },
    steps: [
      ['09:00', 'start a', 'new; count 09:10; runs a 09:00'],
      ['09:05', 'start b', 'new; count 09:10; runs a 09:00, b 09:05'],
      [
        '09:15:30',
        'look',
        'down; runs a 09:00 over, b 09:05 over; passed overrun 09:10; passed overrun 09:15; flip new→up 09:10; flip up→down overrun 09:15 since 09:10',
      ],
      ['09:16', 'success b', 'up; due 09:21; down 09:31; runs a 09:00 over; flip down→up'],
    ],
  },
]
