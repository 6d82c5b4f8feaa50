import { everyHour, type History, hourly } from './history.js'

export const EACH_RUN: History[] = [
  {
    name: 'named test 13: the hung run A is found, though B and C that came after it are healthy',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start a', 'new; down 11:00:05; runs a 09:00:05'],
      ['10:00:05', 'start b', 'new; down 11:00:05; runs a 09:00:05, b 10:00:05'],
      ['10:20', 'success b', 'up; due 11:00; down 11:00:05; runs a 09:00:05; took 19m55s; flip new→up'],
      ['11:00:03', 'start c', 'up; due 12:00; down 11:00:05; runs a 09:00:05, c 11:00:03'],
      [
        '11:00:05',
        'look',
        'down; runs a 09:00:05 over, c 11:00:03; flip up→down overrun; passed overrun 11:00:05',
      ],
      ['11:10', 'success c', 'up; due 12:00; down 12:10; runs a 09:00:05 over; took 9m57s; flip down→up'],
      // The late finish belongs to its own run, and counts for no other occurrence.
      ['12:05', 'success a', 'grace; due 12:00; down 12:10; took 3h4m55s'],
    ],
  },
  {
    name: 'named test 14: a late finish ends its own run, and leaves the one that goes on',
    settings: { ...hourly, track_runs: 'each', max_duration: 1_800 },
    steps: [
      ['09:00:05', 'start a', 'new; down 09:30:05; runs a 09:00:05'],
      ['09:30:05', 'look', 'down; runs a 09:00:05 over; flip new→down overrun; passed overrun 09:30:05'],
      ['10:00:05', 'start b', 'down; runs a 09:00:05 over, b 10:00:05'],
      ['10:10', 'success a', 'up; due 11:00; down 10:30:05; runs b 10:00:05; took 1h9m55s; flip down→up'],
      ['10:20', 'success b', 'up; due 11:00; down 11:10; took 19m55s'],
    ],
  },
  {
    name: 'a run that is open over the next occurrence does not count for it',
    settings: { ...hourly, track_runs: 'each', max_duration: 10_800 },
    steps: [
      ['09:00:05', 'start a', 'new; down 12:00:05; runs a 09:00:05'],
      ['09:10', 'success a', 'up; due 10:00; down 10:10; took 9m55s; flip new→up'],
      ['10:00:05', 'start b', 'up; due 11:00; down 11:10; runs b 10:00:05'],
      ['11:10', 'look', 'down; runs b 10:00:05; flip up→down missed; passed missed 11:10'],
      ['12:30', 'success b', 'up; due 13:00; down 13:10; took 2h29m55s; flip down→up'],
    ],
  },
  {
    name: 'the finish of a run that started in time does not count for the occurrence after',
    settings: { ...hourly, grace: 3_600, track_runs: 'each', max_duration: 10_800 },
    steps: [
      ['09:00:05', 'start a', 'new; down 12:00:05; runs a 09:00:05'],
      ['09:10', 'success a', 'up; due 10:00; down 11:00; took 9m55s; flip new→up'],
      ['10:00:05', 'start b', 'up; due 11:00; down 12:00; runs b 10:00:05'],
      ['11:20', 'success b', 'grace; due 11:00; down 12:00; took 1h19m55s'],
      // A finish without a start does.
      ['11:30', 'success c', 'up; due 12:00; down 13:00'],
    ],
  },
  {
    name: 'without run IDs a start closes the run before it without judging it',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start', 'new; down 11:00:05; runs - 09:00:05'],
      ['09:30', 'start a', 'new; down 11:00:05; runs - 09:00:05, a 09:30'],
      ['10:00:05', 'start', 'new; down 11:30; runs a 09:30, - 10:00:05'],
      ['10:10', 'success', 'up; due 11:00; down 11:10; runs a 09:30; took 9m55s; flip new→up'],
    ],
  },
  {
    name: 'a failure with an unknown run ID leaves other runs alone',
    settings: { ...hourly, track_runs: 'each' },
    steps: [
      ['09:00:05', 'start a', 'new; down 09:10:05; runs a 09:00:05'],
      ['09:05', 'fail b', 'down; runs a 09:00:05; flip new→down failed'],
      ['09:09', 'success a', 'up; due 10:00; down 10:10; took 8m55s; flip down→up'],
    ],
  },
  {
    name: 'a start up to 60 s after the finish of its run joins it; a later one opens a new run',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'success a', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:20', 'success b', 'up; due 11:00; down 11:10'],
      ['10:01:20', 'start b', 'up; due 11:00; down 11:10'],
      ['11:00:20', 'success c', 'up; due 12:00; down 12:10'],
      ['11:01:21', 'start c', 'up; due 12:00; down 12:10; runs c 11:01:21'],
      // Without a run ID it is always a new run.
      ['11:59:59', 'success', 'up; due 12:00; down 12:10; runs c 11:01:21'],
      ['12:00:02', 'start', 'up; due 13:00; down 13:01:21; runs c 11:01:21, - 12:00:02'],
    ],
  },
  {
    name: 'a period check has one occurrence at a time: nothing is due until a run that started for it ends',
    settings: { ...everyHour, track_runs: 'each', max_duration: 18_000 },
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:55', 'start a', 'up; down 14:55; runs a 09:55'],
      ['12:00', 'look', 'up; down 14:55; runs a 09:55'],
      ['12:30', 'start b', 'up; down 14:55; runs a 09:55, b 12:30'],
      ['12:40', 'success b', 'up; due 13:40; down 13:50; runs a 09:55; took 10m'],
      ['13:45', 'success', 'up; due 14:45; down 14:55; runs a 09:55'],
      // Two deadlines at one instant: one incident, and the overrun is its cause.
      ['14:55', 'look', 'down; runs a 09:55 over; flip up→down overrun; passed overrun 14:55'],
    ],
  },
  {
    name: 'named test 12: an overrun and a miss at one instant are one incident',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:10', 'start a', 'new; down 11:10; runs a 09:10'],
      ['09:40', 'success b', 'up; due 10:00; down 10:10; runs a 09:10; flip new→up'],
      ['10:00:05', 'start c', 'up; due 11:00; down 11:10; runs a 09:10, c 10:00:05'],
      ['10:20', 'success c', 'up; due 11:00; down 11:10; runs a 09:10; took 19m55s'],
      ['11:10', 'look', 'down; runs a 09:10 over; flip up→down overrun; passed overrun 11:10'],
    ],
  },
  {
    name: 'named test 12: with a tolerance of two both are counted, and there is one incident',
    settings: {
      ...hourly,
      track_runs: 'each',
      max_duration: 7_200,
      failures_to_alert: 2,
      tolerated: 'missed,overrun',
    },
    steps: [
      ['09:10', 'start a', 'new; count 11:10; runs a 09:10'],
      ['09:40', 'success b', 'up; due 10:00; count 10:10; runs a 09:10; flip new→up'],
      ['10:00:05', 'start c', 'up; due 11:00; count 11:10; runs a 09:10, c 10:00:05'],
      ['10:20', 'success c', 'up; due 11:00; count 11:10; runs a 09:10; took 19m55s'],
      [
        '11:10',
        'look',
        'down; runs a 09:10 over; flip up→down missed; passed overrun 11:10; passed missed 11:10',
      ],
    ],
  },
  {
    name: 'runs that pass their limit while the check is down are not judged when it comes up',
    settings: { ...hourly, track_runs: 'each', max_duration: 1_800 },
    steps: [
      ['09:00', 'start a', 'new; down 09:30; runs a 09:00'],
      ['09:10', 'start b', 'new; down 09:30; runs a 09:00, b 09:10'],
      ['09:20', 'fail c', 'down; runs a 09:00, b 09:10; flip new→down failed'],
      [
        '09:35',
        'success d',
        'up; due 10:00; down 09:40; runs a 09:00 over, b 09:10; flip down→up; passed overrun 09:30',
      ],
      ['09:39', 'success b', 'up; due 10:00; down 10:10; runs a 09:00 over; took 29m'],
    ],
  },
  {
    name: 'a run that starts a second early and ends in time counts for the occurrence by its finish',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start a', 'new; down 11:00:05; runs a 09:00:05'],
      ['09:05', 'success a', 'up; due 10:00; down 10:10; took 4m55s; flip new→up'],
      ['09:59:59', 'start b', 'up; due 10:00; down 10:10; runs b 09:59:59'],
      ['10:05', 'success b', 'up; due 11:00; down 11:10; took 5m1s'],
    ],
  },
  {
    name: 'one start settles every occurrence before it',
    settings: { ...hourly, track_runs: 'each', start_within: 7_200, max_duration: 10_800 },
    steps: [
      ['09:00:05', 'success a', 'up; due 10:00; down 12:00; flip new→up'],
      ['11:00:05', 'start b', 'up; due 12:00; down 14:00; runs b 11:00:05'],
    ],
  },
  {
    name: 'a run ID that is used again while its run hangs: the old run ends, the new one is judged',
    settings: { ...hourly, track_runs: 'each', max_duration: 1_800 },
    steps: [
      ['09:00', 'start a', 'new; down 09:30; runs a 09:00'],
      ['09:30', 'look', 'down; runs a 09:00 over; flip new→down overrun; passed overrun 09:30'],
      ['10:00', 'start a', 'down; runs a 10:00'],
      ['10:10', 'success a', 'up; due 11:00; down 11:10; took 10m; flip down→up'],
    ],
  },
]
