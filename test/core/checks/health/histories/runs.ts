import { everyHour, type History, hourly } from './history.js'

export const RUNS: History[] = [
  {
    name: 'start_within: a late start is missed, a start in time has its own deadline',
    settings: { ...hourly, grace: 3_600, start_within: 300 },
    steps: [
      ['09:00:10', 'start', 'new; down 10:00:10; run 09:00:10'],
      ['09:20', 'success', 'up; due 10:00; down 10:05; took 19m50s; flip new→up'],
      ['10:03', 'look', 'grace; due 10:00; down 10:05'],
      ['10:04', 'start', 'up; down 11:04; run 10:04'],
      ['10:59', 'success', 'up; due 11:00; down 11:05; took 55m'],
      ['11:05', 'look', 'down; flip up→down missed; passed missed 11:05'],
      ['11:06', 'start', 'down; run 11:06'],
      ['11:30', 'success', 'up; due 12:00; down 12:05; took 24m; flip down→up'],
    ],
  },
  {
    name: 'the same late start without start_within: the grace time after the due time',
    settings: { ...hourly, grace: 3_600 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 11:00; flip new→up'],
      ['10:30', 'start', 'grace; due 10:00; down 11:00; run 10:30'],
      ['11:00', 'look', 'down; run 10:30; flip up→down missed'],
      ['11:10', 'success', 'up; due 12:00; down 13:00; took 40m; flip down→up'],
    ],
  },
  {
    name: 'max_duration: a nightly job may start 30 minutes late and take four hours',
    settings: { schedule: '0 2 * * *', grace: 1_800, max_duration: 14_400 },
    steps: [
      ['02:00:10', 'start', 'new; down 06:00:10; run 02:00:10'],
      ['05:00', 'success', 'up; due 3 02:00; down 3 02:30; took 2h59m50s; flip new→up'],
      ['3 02:10', 'start', 'up; down 3 06:10; run 3 02:10'],
      ['3 06:10', 'look', 'down; run 3 02:10 over; flip up→down overrun; passed overrun 3 06:10'],
      ['3 07:00', 'success', 'up; due 4 02:00; down 4 02:30; took 4h50m; flip down→up'],
    ],
  },
  {
    name: 'latest: a run that is open over the next occurrences counts for them',
    settings: { ...hourly, max_duration: 10_800 },
    steps: [
      ['09:00:05', 'start', 'new; down 12:00:05; run 09:00:05'],
      ['09:30', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'start', 'up; down 13:00:05; run 10:00:05'],
      ['11:30', 'look', 'up; down 13:00:05; run 10:00:05'],
      ['12:20', 'success', 'up; due 13:00; down 13:10; took 2h19m55s'],
    ],
  },
  {
    name: 'latest: a success of another run leaves the open one, which is judged once',
    settings: { ...hourly, max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start a', 'new; down 11:00:05; run 09:00:05'],
      ['10:00:20', 'success b', 'up; down 11:00:05; run 09:00:05; flip new→up'],
      ['11:00:05', 'look', 'down; run 09:00:05 over; flip up→down overrun; passed overrun 11:00:05'],
      ['11:00:20', 'success b', 'up; due 12:00; down 12:10; run 09:00:05 over; flip down→up'],
    ],
  },
  {
    name: 'latest: a new start takes the place of a run that hangs',
    settings: { ...hourly, max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start a', 'new; down 11:00:05; run 09:00:05'],
      ['10:00:05', 'start b', 'new; down 12:00:05; run 10:00:05'],
      ['10:20', 'success b', 'up; due 11:00; down 11:10; took 19m55s; flip new→up'],
    ],
  },
  {
    name: 'a ping exactly at the deadline is too late',
    settings: { ...everyHour, max_duration: 60 },
    steps: [
      ['09:00', 'start', 'new; down 09:01; run 09:00'],
      [
        '09:01',
        'success',
        'up; due 10:01; down 10:11; passed overrun 09:01; flip new→down overrun; flip down→up',
      ],
    ],
  },
  {
    name: 'an overrun that is counted, then the occurrence after it is missed',
    settings: { ...everyHour, max_duration: 1_800, failures_to_alert: 2, tolerated: 'overrun,missed' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['09:58', 'start', 'up; count 10:28; run 09:58'],
      // The multiples of the period after 09:00 that lie after 10:28.
      [
        '10:28',
        'look',
        'up; due 11:00; down 11:10; run 09:58 over; failing 1/2 since 10:28; passed overrun 10:28',
      ],
      ['11:10', 'look', 'down; run 09:58 over; flip up→down missed since 10:28; passed missed 11:10'],
    ],
  },
  {
    name: 'min_duration: a success that came too soon is a failure, if its duration is known',
    settings: { ...hourly, min_duration: 60 },
    steps: [
      ['09:00', 'start', 'new; down 09:10; run 09:00'],
      ['09:00:30', 'success', 'down; took 30s; flip new→down too_short'],
      ['10:00', 'success', 'up; due 11:00; down 11:10; flip down→up'],
      ['11:00', 'success for 45', 'down; took 45s; flip up→down too_short'],
      ['11:05', 'success for 60', 'up; due 12:00; down 12:10; took 1m; flip down→up'],
    ],
  },
  {
    name: 'named test 17: of a job near its min_duration the time that the client measured counts',
    settings: { ...hourly, min_duration: 60 },
    steps: [
      ['09:00', 'start', 'new; down 09:10; run 09:00'],
      ['09:00:59', 'success for 60.2', 'up; due 10:00; down 10:10; took 1m0.2s; flip new→up'],
      ['10:00', 'start', 'grace; due 10:00; down 10:10; run 10:00'],
      ['10:01:05', 'success for 59', 'down; took 59s; flip up→down too_short'],
    ],
  },
  {
    name: 'min_duration is tolerated like other causes',
    settings: { ...hourly, min_duration: 60, failures_to_alert: 2, tolerated: 'too_short' },
    steps: [
      [
        '09:00',
        'success for 10',
        'up; due 10:00; down 10:10; took 10s; failing 1/2 since 09:00; flip new→up',
      ],
      ['10:00', 'success for 10', 'down; took 10s; flip up→down too_short since 09:00'],
    ],
  },
  {
    name: 'min_duration: a success of another run leaves the open one, also where it ended too soon',
    settings: { ...hourly, min_duration: 60 },
    steps: [
      ['09:00', 'start a', 'new; down 09:10; run 09:00'],
      ['09:01', 'success b for 10', 'down; run 09:00; took 10s; flip new→down too_short'],
    ],
  },
  {
    name: 'min_duration is not judged where nothing tells which of two runs ended',
    settings: { ...hourly, min_duration: 60, max_duration: 7_200 },
    steps: [
      ['09:00', 'start', 'new; down 11:00; run 09:00'],
      ['09:59:50', 'start', 'new; down 11:59:50; run 09:59:50'],
      ['10:00', 'success', 'up; due 11:00; down 11:10; took 10s; flip new→up'],
    ],
  },
  {
    name: 'start_within may be longer than the period: each occurrence has its own deadline',
    settings: { ...everyHour, start_within: 7_200, failures_to_alert: 3, tolerated: 'missed' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 12:00; flip new→up'],
      ['12:00', 'look', 'grace; due 11:00; count 13:00; failing 1/3 since 12:00; passed missed 12:00'],
    ],
  },
  {
    name: 'success_exit_codes: a failure signal stays one, and 1 can be a success',
    settings: { ...hourly, success_exit_codes: '0,1' },
    steps: [
      ['09:00', 'fail', 'down; flip new→down failed'],
      ['09:05', 'exit 1', 'up; due 10:00; down 10:10; flip down→up'],
    ],
  },
  {
    name: 'success_exit_codes: 0 and 3 are successes',
    settings: { ...hourly, success_exit_codes: '0,3' },
    steps: [
      ['09:00', 'exit 3', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00', 'exit 1', 'down; flip up→down failed'],
      ['11:00', 'exit 0', 'up; due 12:00; down 12:10; flip down→up'],
      ['12:00', 'exit 4', 'down; flip up→down failed'],
    ],
  },
]
