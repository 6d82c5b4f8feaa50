import { everyHour, type History, hourly } from './history.js'

export const OUTAGES_AND_CLOCKS: History[] = [
  {
    name: 'a miss that fell into an outage waits, and a ping before the end of the hold meets it',
    settings: { ...hourly, failures_to_alert: 2, tolerated: 'missed' },
    holds: [['10:05', '10:20']],
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:12', 'look', 'grace; due 10:00; count 10:10'],
      ['10:15', 'success', 'up; due 11:00; count 11:10'],
    ],
  },
  {
    name: 'a miss that nothing met is counted at the end of the hold, with its own date',
    settings: { ...hourly, failures_to_alert: 2, tolerated: 'missed' },
    holds: [['10:05', '10:20']],
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:15', 'look', 'grace; due 10:00; count 10:10'],
      ['10:20', 'look', 'up; due 11:00; down 11:10; failing 1/2 since 10:10; passed missed 10:10'],
    ],
  },
  {
    name: 'an overrun in an outage waits, and the success of the run meets it',
    settings: { ...everyHour, max_duration: 600 },
    holds: [['09:08', '09:20']],
    steps: [
      ['09:00', 'start', 'new; down 09:10; run 09:00'],
      ['09:11', 'look', 'new; down 09:10; run 09:00'],
      ['09:12', 'success', 'up; due 10:12; down 10:22; took 12m; flip new→up'],
    ],
  },
  {
    name: 'a run that started in the hold keeps its own deadline',
    settings: { ...hourly, start_within: 300 },
    holds: [['10:01', '10:20']],
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:05; flip new→up'],
      ['10:10', 'start', 'up; down 10:20; run 10:10'],
      ['10:20', 'look', 'down; run 10:10 over; flip up→down overrun; passed overrun 10:20'],
    ],
  },
  {
    name: 'of several occurrences in an outage only the last is asked for',
    settings: { ...everyHour, failures_to_alert: 3, tolerated: 'missed' },
    holds: [['09:30', '13:40']],
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['13:30', 'look', 'grace; due 10:00; count 10:10'],
      ['13:40', 'look', 'up; due 14:00; count 14:10; failing 1/3 since 13:10; passed missed 13:10'],
    ],
  },
  {
    name: 'the one that is asked for after an outage is asked for after the next one too',
    settings: { ...hourly, start_within: 7_200 },
    holds: [
      ['11:00', '13:40'],
      ['13:50', '16:30'],
    ],
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 12:00; flip new→up'],
      ['13:30', 'look', 'grace; due 10:00; down 12:00'],
      ['13:40', 'look', 'grace; due 13:00; down 15:00'],
      ['16:29', 'look', 'grace; due 13:00; down 15:00'],
      ['16:30', 'look', 'down; flip up→down missed 15:00; passed missed 15:00'],
    ],
  },
  {
    name: 'of what an outage holds after a ping, again only the last is asked for',
    settings: { ...hourly, start_within: 7_200 },
    holds: [
      ['11:00', '13:40'],
      ['13:50', '17:30'],
    ],
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 12:00; flip new→up'],
      ['13:30', 'look', 'grace; due 10:00; down 12:00'],
      ['13:40', 'look', 'grace; due 13:00; down 15:00'],
      ['13:55', 'success', 'up; due 14:00; down 16:00'],
      ['17:20', 'look', 'grace; due 14:00; down 16:00'],
      ['17:30', 'look', 'grace; due 17:00; down 19:00'],
    ],
  },
  {
    name: 'with each, runs that passed their limit in an outage wait, and a log ping meets nothing',
    settings: { ...hourly, track_runs: 'each', max_duration: 600 },
    holds: [['09:08', '09:20']],
    steps: [
      ['09:00', 'start a', 'new; down 09:10; runs a 09:00'],
      ['09:01', 'start b', 'new; down 09:10; runs a 09:00, b 09:01'],
      ['09:12', 'success b', 'up; due 10:00; down 09:10; runs a 09:00; took 11m; flip new→up'],
      ['09:13', 'log a', 'up; due 10:00; down 09:10; runs a 09:00'],
      ['09:20', 'look', 'down; runs a 09:00 over; flip up→down overrun 09:12; passed overrun 09:10'],
    ],
  },
  {
    name: 'in spring a nightly job is due when the clock has jumped',
    settings: { schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 3_600, start_within: 600 },
    steps: [
      ['28 01:30:10', 'success', 'up; due 29 01:00; down 29 01:10; flip new→up'],
      ['29 01:05', 'start', 'up; down 29 02:05; run 29 01:05'],
      ['29 01:30', 'success', 'up; due 30 00:30; down 30 00:40; took 25m'],
    ],
  },
  {
    name: 'in autumn the second showing of the hour asks for nothing, and an early ping finds the right one',
    month: '2026-10',
    settings: { schedule: '30 3 * * *', tz: 'Europe/Riga', early: 3_600 },
    steps: [
      ['24 00:30:10', 'success', 'up; due 25 00:30; down 25 00:40; flip new→up'],
      ['25 00:31', 'success', 'up; due 26 01:30; down 26 01:40'],
      // 03:30 for the second time.
      ['25 01:30', 'success', 'up; due 26 01:30; down 26 01:40'],
      ['26 00:45', 'success', 'up; due 27 01:30; down 27 01:40'],
    ],
  },
  {
    name: 'misses of an hourly job are counted each hour, also through the hour that is shown twice',
    month: '2026-10',
    settings: { ...hourly, tz: 'Europe/Riga', failures_to_alert: 4, tolerated: 'missed' },
    steps: [
      ['24 23:00:05', 'success', 'up; due 25 00:00; count 25 00:10; flip new→up'],
      [
        '25 02:05',
        'look',
        'grace; due 25 02:00; count 25 02:10; failing 2/4 since 25 00:10; passed missed 25 00:10; passed missed 25 01:10',
      ],
    ],
  },
]
