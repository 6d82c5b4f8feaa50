import { type History, hourly } from './history.js'

export const EARLY_PINGS: History[] = [
  {
    name: 'named test 15: a ping one second early belongs to the occurrence, as far as allowed',
    settings: { ...hourly, early: 60 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:59:59', 'success', 'up; due 11:00; down 11:10'],
      ['10:59', 'success', 'up; due 12:00; down 12:10'],
      ['11:58:59', 'success', 'up; due 12:00; down 12:10'],
      ['12:00:05', 'success', 'up; due 13:00; down 13:10'],
    ],
  },
  {
    name: 'by default it does not',
    settings: hourly,
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:59:59', 'success', 'up; due 10:00; down 10:10'],
      ['10:10', 'look', 'down; flip up→down missed'],
    ],
  },
  {
    name: 'an early ping after a miss: it is for the next occurrence',
    settings: { ...hourly, early: 60 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:10', 'look', 'down; flip up→down missed; passed missed 10:10'],
      ['10:59:30', 'success', 'up; due 12:00; down 12:10; flip down→up'],
      ['12:10', 'look', 'down; flip up→down missed; passed missed 12:10'],
      // The deadline of 13:00 passed while it was down.
      ['13:59:30', 'success', 'up; due 15:00; down 15:10; flip down→up'],
    ],
  },
  {
    name: 'a late ping shortly before the next occurrence is for the one that is still open',
    settings: { ...hourly, grace: 3_600, early: 60 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 11:00; flip new→up'],
      ['10:59:30', 'success', 'up; due 11:00; down 12:00'],
      ['10:59:50', 'success', 'up; due 12:00; down 13:00'],
    ],
  },
  {
    name: 'a ping belongs to the occurrence that is nearer',
    settings: { schedule: '*/2 * * * *', grace: 60, early: 120 },
    steps: [
      ['09:00:05', 'success', 'up; due 09:02; down 09:03; flip new→up'],
      ['09:00:59', 'success', 'up; due 09:02; down 09:03'],
      ['09:01', 'success', 'up; due 09:02; down 09:03'],
      ['09:01:01', 'success', 'up; due 09:04; down 09:05'],
    ],
  },
  {
    name: 'an early start, and a short run that ends before the occurrence',
    settings: { ...hourly, max_duration: 7_200, early: 60 },
    steps: [
      ['09:59:40', 'start', 'new; down 11:59:40; run 09:59:40'],
      ['09:59:50', 'success', 'up; due 11:00; down 11:10; took 10s; flip new→up'],
      // Started too early, and ends within the minute: the run is for 11:00 all the same.
      ['10:58:50', 'start', 'up; down 12:58:50; run 10:58:50'],
      ['10:59:30', 'success', 'up; due 12:00; down 12:10; took 40s'],
    ],
  },
  {
    name: 'a long run does not count for the next occurrence by ending shortly before it',
    settings: { ...hourly, max_duration: 7_200, early: 60 },
    steps: [
      ['08:59:30', 'start', 'new; down 10:59:30; run 08:59:30'],
      ['09:59:40', 'success', 'up; due 10:00; down 10:10; took 1h10s; flip new→up'],
    ],
  },
  {
    name: 'with each an early start counts for the occurrence',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200, early: 60 },
    steps: [
      ['09:00:05', 'success a', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:59:30', 'start b', 'up; due 11:00; down 11:10; runs b 09:59:30'],
      ['10:30', 'success b', 'up; due 11:00; down 11:10; took 30m30s'],
    ],
  },
  {
    name: 'an early failure that is counted satisfies its occurrence',
    settings: { ...hourly, early: 60, failures_to_alert: 2 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:59:30', 'fail', 'up; due 11:00; down 11:10; failing 1/2 since 09:59:30'],
    ],
  },
  {
    name: 'a changed setting does not ask again for what was satisfied early',
    settings: { ...hourly, early: 60 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:59:30', 'success', 'up; due 11:00; down 11:10'],
      ['09:59:40', 'set', 'up; due 11:00; down 11:10', { early: 0 }],
      ['11:00:05', 'success', 'up; due 12:00; down 12:10'],
    ],
  },
  {
    name: 'an early ping after a miss that was counted',
    settings: { ...hourly, early: 60, failures_to_alert: 2, tolerated: 'missed' },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:10', 'look', 'up; due 11:00; down 11:10; failing 1/2 since 10:10; passed missed 10:10'],
      ['10:59:30', 'success', 'up; due 12:00; count 12:10'],
    ],
  },
  {
    name: 'another schedule asks for its own occurrences, whatever was satisfied early',
    settings: { ...hourly, early: 1_800 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:35', 'success', 'up; due 11:00; down 11:10'],
      ['09:40', 'set', 'up; due 09:45; down 09:55', { schedule: '45 * * * *' }],
      ['09:44', 'success', 'up; due 10:45; down 10:55'],
      // The next occurrence of the new schedule is the same.
      ['09:44:10', 'set', 'up; due 3 09:45; down 3 09:55', { schedule: '45 9 * * *' }],
    ],
  },
]
