import { everyHour, type History, hourly } from './history.js'

export const TOLERANCE: History[] = [
  {
    name: 'named test 8: a restart between failures, or between successes, forgets none (gatus#1791)',
    settings: {
      ...hourly,
      failures_to_alert: 3,
      tolerated: 'failed,missed',
      successes_to_recover: 2,
    },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:00:05', 'fail', 'up; due 11:00; count 11:10; failing 1/3 since 10:00:05'],
      ['10:30', 'restart', 'up; due 11:00; count 11:10; failing 1/3 since 10:00:05'],
      ['11:10', 'look', 'up; due 12:00; down 12:10; failing 2/3 since 10:00:05; passed missed 11:10'],
      ['11:40', 'restart', 'up; due 12:00; down 12:10; failing 2/3 since 10:00:05'],
      ['12:00:05', 'fail', 'down; flip up→down failed since 10:00:05'],
      ['12:05', 'success', 'down; recovering 1'],
      ['12:06', 'restart', 'down; recovering 1'],
      ['12:07', 'success', 'up; due 13:00; count 13:10; flip down→up'],
    ],
  },
  {
    name: 'fail, miss, fail: the third in a row takes it down',
    settings: { ...hourly, failures_to_alert: 3, tolerated: 'failed,missed' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:00:05', 'fail', 'up; due 11:00; count 11:10; failing 1/3 since 10:00:05'],
      ['11:05', 'look', 'grace; due 11:00; count 11:10; failing 1/3 since 10:00:05'],
      ['11:10', 'look', 'up; due 12:00; down 12:10; failing 2/3 since 10:00:05; passed missed 11:10'],
      ['12:00:05', 'fail', 'down; flip up→down failed since 10:00:05'],
      ['13:00:05', 'success', 'up; due 14:00; count 14:10; flip down→up'],
    ],
  },
  {
    name: 'a cause that is not tolerated takes it down at once, and the incident began with the first failure',
    settings: { ...hourly, failures_to_alert: 3 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'fail', 'up; due 11:00; down 11:10; failing 1/3 since 10:00:05'],
      ['11:10', 'look', 'down; flip up→down missed since 10:00:05; passed missed 11:10'],
    ],
  },
  {
    name: 'a success ends the failures in a row; start, log and silence in time do not',
    settings: { ...hourly, failures_to_alert: 2 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'fail', 'up; due 11:00; down 11:10; failing 1/2 since 10:00:05'],
      ['11:00:05', 'success', 'up; due 12:00; down 12:10'],
      ['12:00:05', 'fail', 'up; due 13:00; down 13:10; failing 1/2 since 12:00:05'],
      ['12:10', 'log', 'up; due 13:00; down 13:10; failing 1/2 since 12:00:05'],
      // Without own deadlines the limit of the run is the grace time.
      ['12:55', 'start', 'up; due 13:00; down 13:05; run 12:55; failing 1/2 since 12:00:05'],
      ['13:01', 'fail', 'down; took 6m; flip up→down failed since 12:00:05'],
    ],
  },
  {
    name: 'named test 11: one failure of three alerts nobody, also as the first signal (sentry#123661)',
    settings: { ...everyHour, failures_to_alert: 3 },
    steps: [
      ['09:00', 'fail', 'up; due 10:00; down 10:10; failing 1/3 since 09:00; flip new→up'],
      ['09:05', 'fail', 'up; due 10:05; down 10:15; failing 2/3 since 09:00'],
      ['09:10', 'fail', 'down; flip up→down failed since 09:00'],
    ],
  },
  {
    name: 'two failures among the last three results',
    settings: { ...hourly, failures_to_alert: 2, failure_window: 3 },
    steps: [
      ['09:00:05', 'fail', 'up; due 10:00; down 10:10; failing 1/2 since 09:00:05; flip new→up'],
      ['10:00:05', 'success', 'up; due 11:00; down 11:10; failing 1/2 since 09:00:05'],
      ['11:00:05', 'success', 'up; due 12:00; down 12:10; failing 1/2 since 09:00:05'],
      ['12:00:05', 'success', 'up; due 13:00; down 13:10'],
      ['13:00:05', 'fail', 'up; due 14:00; down 14:10; failing 1/2 since 13:00:05'],
      ['14:00:05', 'success', 'up; due 15:00; down 15:10; failing 1/2 since 13:00:05'],
      ['15:00:05', 'fail', 'down; flip up→down failed since 13:00:05'],
      ['16:00:05', 'success', 'up; due 17:00; down 17:10; flip down→up'],
      ['17:00:05', 'fail', 'up; due 18:00; down 18:10; failing 1/2 since 17:00:05'],
    ],
  },
  {
    name: 'misses in a window: a success between them does not end them',
    settings: { ...hourly, failures_to_alert: 2, failure_window: 4, tolerated: 'missed' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:10', 'look', 'up; due 11:00; down 11:10; failing 1/2 since 10:10; passed missed 10:10'],
      ['11:00:05', 'success', 'up; due 12:00; down 12:10; failing 1/2 since 10:10'],
      ['12:10', 'look', 'down; flip up→down missed since 10:10; passed missed 12:10'],
    ],
  },
  {
    name: 'three successes in a row bring it up; a failure starts them again and sends nothing',
    settings: { ...hourly, successes_to_recover: 3 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'fail', 'down; flip up→down failed'],
      ['10:05', 'success', 'down; recovering 1'],
      ['10:06', 'success', 'down; recovering 2'],
      ['10:07', 'fail', 'down'],
      ['10:08', 'success', 'down; recovering 1'],
      ['10:09', 'start', 'down; run 10:09; recovering 1'],
      ['10:09:30', 'success', 'down; recovering 2; took 30s'],
      ['11:30', 'success', 'up; due 12:00; down 12:10; flip down→up'],
    ],
  },
  {
    name: 'a period check that is missed is next due at the multiples of its period',
    settings: { ...everyHour, failures_to_alert: 3, tolerated: 'missed' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:05', 'look', 'grace; due 10:00; count 10:10'],
      ['10:10', 'look', 'up; due 11:00; count 11:10; failing 1/3 since 10:10; passed missed 10:10'],
      ['11:10', 'look', 'up; due 12:00; down 12:10; failing 2/3 since 10:10; passed missed 11:10'],
      ['11:30', 'success', 'up; due 12:30; count 12:40'],
    ],
  },
  {
    name: 'a ping counts the misses that the watcher had not seen yet',
    settings: { ...everyHour, failures_to_alert: 3, tolerated: 'missed' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['11:30', 'fail', 'down; flip up→down failed since 10:10; passed missed 10:10; passed missed 11:10'],
    ],
  },
  {
    name: 'a success after a deadline that nobody noticed: down and up again',
    settings: { ...everyHour, failures_to_alert: 2, tolerated: 'missed' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      [
        '13:00',
        'success',
        'up; due 14:00; count 14:10; passed missed 10:10; passed missed 11:10; flip up→down missed 11:10 since 10:10; flip down→up',
      ],
    ],
  },
  {
    name: 'a run that takes too long is counted, and its late success ends the failures in a row',
    settings: { ...hourly, max_duration: 10_800, failures_to_alert: 2, tolerated: 'failed,missed,overrun' },
    steps: [
      ['10:00:05', 'start', 'new; count 13:00:05; run 10:00:05'],
      [
        '13:00:05',
        'look',
        'up; due 14:00; down 14:10; run 10:00:05 over; failing 1/2 since 13:00:05; flip new→up; passed overrun 13:00:05',
      ],
      ['13:30', 'success', 'up; due 14:00; count 14:10; took 3h29m55s'],
    ],
  },
  {
    name: 'without own deadlines a counted overrun counts for the occurrence: it is not missed too',
    settings: { ...hourly, failures_to_alert: 2, tolerated: 'missed,overrun' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['09:59', 'start', 'up; due 10:00; count 10:09; run 09:59'],
      [
        '10:09',
        'look',
        'up; due 11:00; down 11:10; run 09:59 over; failing 1/2 since 10:09; passed overrun 10:09',
      ],
      ['10:12', 'success', 'up; due 11:00; count 11:10; took 13m'],
    ],
  },
  {
    name: 'without own deadlines a run that hangs is one failure: that of its occurrence',
    settings: { ...hourly, failures_to_alert: 2, tolerated: 'missed,overrun' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:00:05', 'start', 'grace; due 10:00; count 10:10; run 10:00:05'],
      [
        '10:10',
        'look',
        'up; due 11:00; down 11:10; run 10:00:05 over; failing 1/2 since 10:10; passed missed 10:10',
      ],
      ['10:20', 'success', 'up; due 11:00; count 11:10; took 19m55s'],
    ],
  },
  {
    name: 'the failure of a run that was counted as an overrun is not counted again',
    settings: { ...everyHour, max_duration: 1_800, failures_to_alert: 2, tolerated: 'failed,overrun' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:58', 'start a', 'up; count 10:28; run 09:58'],
      [
        '10:28',
        'look',
        'up; due 11:00; down 11:10; run 09:58 over; failing 1/2 since 10:28; passed overrun 10:28',
      ],
      ['10:40', 'fail a', 'up; due 11:40; down 11:50; took 42m; failing 1/2 since 10:28'],
    ],
  },
  {
    name: 'a failure that comes late for a missed occurrence is not counted again',
    settings: { ...hourly, failures_to_alert: 2, tolerated: 'failed,missed' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:10', 'look', 'up; due 11:00; down 11:10; failing 1/2 since 10:10; passed missed 10:10'],
      ['10:12', 'fail', 'up; due 11:00; down 11:10; failing 1/2 since 10:10'],
      ['11:00:05', 'fail', 'down; flip up→down failed since 10:10'],
    ],
  },
  {
    name: 'a run that started too late is missed, and its overrun is not counted again',
    settings: {
      ...hourly,
      start_within: 300,
      max_duration: 3_600,
      failures_to_alert: 2,
      tolerated: 'missed,overrun',
    },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:05; flip new→up'],
      ['10:05', 'look', 'up; due 11:00; down 11:05; failing 1/2 since 10:05; passed missed 10:05'],
      ['10:06', 'start', 'up; count 11:06; run 10:06; failing 1/2 since 10:05'],
      [
        '11:06',
        'look',
        'up; due 12:00; down 12:05; run 10:06 over; failing 1/2 since 10:05; passed overrun 11:06',
      ],
    ],
  },
  {
    name: 'in a window a late success for a missed occurrence is not a result of its own',
    settings: { ...hourly, failures_to_alert: 2, failure_window: 2, tolerated: 'missed' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:10', 'look', 'up; due 11:00; down 11:10; failing 1/2 since 10:10; passed missed 10:10'],
      ['10:20', 'success', 'up; due 11:00; down 11:10; failing 1/2 since 10:10'],
      ['11:10', 'look', 'down; flip up→down missed since 10:10; passed missed 11:10'],
    ],
  },
  {
    name: 'a failure that leaves the window moves the beginning',
    settings: { ...hourly, failures_to_alert: 3, failure_window: 4 },
    steps: [
      ['09:00:05', 'fail', 'up; due 10:00; down 10:10; failing 1/3 since 09:00:05; flip new→up'],
      ['10:00:05', 'success', 'up; due 11:00; down 11:10; failing 1/3 since 09:00:05'],
      ['11:00:05', 'fail', 'up; due 12:00; down 12:10; failing 2/3 since 09:00:05'],
      ['12:00:05', 'success', 'up; due 13:00; down 13:10; failing 2/3 since 09:00:05'],
      ['13:00:05', 'success', 'up; due 14:00; down 14:10; failing 1/3 since 11:00:05'],
    ],
  },
  {
    name: 'each failure signal counts, also three within one night',
    settings: { schedule: '0 3 * * *', failures_to_alert: 3 },
    steps: [
      ['03:00:05', 'fail', 'up; due 3 03:00; down 3 03:10; failing 1/3 since 03:00:05; flip new→up'],
      ['03:01', 'fail', 'up; due 3 03:00; down 3 03:10; failing 2/3 since 03:00:05'],
      ['03:02', 'fail', 'down; flip up→down failed since 03:00:05'],
    ],
  },
]
