import { everyHour, type History, type HistorySettings, hourly } from './history.js'

const nightly: HistorySettings = { schedule: '0 3 * * *', grace: 3_600 }

export const BACK_DATED: History[] = [
  {
    name: 'a success from before the check went down brings it up',
    settings: nightly,
    steps: [
      ['03:00:10', 'success', 'up; due 3 03:00; down 3 04:00; flip new→up'],
      ['3 04:00', 'look', 'down; flip up→down missed'],
      ['3 08:00', 'success at 3 03:05', 'up; due 4 03:00; down 4 04:00; flip down→up'],
    ],
  },
  {
    name: 'while a later occurrence is overdue too, the check stays down until that comes',
    settings: nightly,
    steps: [
      ['03:00:10', 'success', 'up; due 3 03:00; down 3 04:00; flip new→up'],
      ['3 04:00', 'look', 'down; flip up→down missed'],
      ['4 08:00', 'success at 3 03:05', 'down'],
      ['4 08:01', 'success at 4 03:05', 'up; due 5 03:00; down 5 04:00; flip down→up'],
    ],
  },
  {
    name: 'a success that is older than the last is only logged',
    settings: nightly,
    steps: [
      ['03:00:10', 'success', 'up; due 3 03:00; down 3 04:00; flip new→up'],
      ['3 03:05', 'success', 'up; due 4 03:00; down 4 04:00'],
      ['3 08:00', 'success at 3 02:59', 'up; due 4 03:00; down 4 04:00'],
    ],
  },
  {
    name: 'a failure that is older than the last success is only logged',
    settings: nightly,
    steps: [
      ['03:00:10', 'success', 'up; due 3 03:00; down 3 04:00; flip new→up'],
      ['3 03:05', 'success', 'up; due 4 03:00; down 4 04:00'],
      ['3 08:00', 'fail at 3 02:59', 'up; due 4 03:00; down 4 04:00'],
    ],
  },
  {
    name: 'a failure takes the check down when it arrives',
    settings: nightly,
    steps: [
      ['03:00:10', 'success', 'up; due 3 03:00; down 3 04:00; flip new→up'],
      ['3 03:30', 'fail at 3 03:05', 'down; flip up→down failed'],
    ],
  },
  {
    name: 'a failure that arrives while the check is down changes nothing, a later success does',
    settings: nightly,
    steps: [
      ['03:00:10', 'success', 'up; due 3 03:00; down 3 04:00; flip new→up'],
      ['3 04:00', 'look', 'down; flip up→down missed'],
      ['3 08:00', 'fail at 3 03:05', 'down'],
      ['3 09:00', 'success at 3 03:10', 'up; due 4 03:00; down 4 04:00; flip down→up'],
    ],
  },
  {
    name: 'the period counts from the true time',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:05', 'success at 09:50', 'up; due 10:50; down 11:00'],
      ['10:06', 'success at 09:40', 'up; due 10:50; down 11:00'],
    ],
  },
  {
    name: 'a success as old as the last one counts, which changes nothing',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:30', 'success at 09:00', 'up; due 10:00; down 10:10'],
    ],
  },
  {
    name: 'a start within its limit begins a run at its true time',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:35', 'start at 09:30', 'up; due 10:00; down 09:40; run 09:30'],
      ['09:38', 'success at 09:36', 'up; due 10:36; down 10:46; took 6m'],
    ],
  },
  {
    name: 'a start whose limit has passed is only logged: its end may be on its way',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:50', 'start a at 09:30', 'up; due 10:00; down 10:10'],
      ['09:51', 'success a for 900 at 09:45', 'up; due 10:45; down 10:55; took 15m'],
    ],
  },
  {
    name: 'the end of a run whose start came in time has the true duration',
    settings: everyHour,
    steps: [
      ['09:00', 'start a', 'new; down 09:10; run 09:00'],
      ['09:08', 'success a at 09:05', 'up; due 10:05; down 10:15; took 5m; flip new→up'],
    ],
  },
  {
    name: 'the end of a run that was an overrun brings the check up',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:30', 'start a', 'up; due 10:00; down 09:40; run 09:30'],
      ['09:40', 'look', 'down; run 09:30; flip up→down overrun'],
      ['09:55', 'success a at 09:38', 'up; due 10:38; down 10:48; took 8m; flip down→up'],
    ],
  },
  {
    name: 'a run does not end before it began, if the clocks differ',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:30', 'start a', 'up; due 10:00; down 09:40; run 09:30'],
      ['09:31', 'success a at 09:29:58', 'up; due 10:30; down 10:40'],
    ],
  },
  {
    name: 'the end of a run after a newer success of another only ends it',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:30', 'start a', 'up; due 10:00; down 09:40; run 09:30'],
      ['09:36', 'success b', 'up; due 10:36; down 09:40; run 09:30'],
      ['09:39', 'fail a at 09:35', 'up; due 10:36; down 10:46; took 5m'],
    ],
  },
  {
    name: 'a newer start is newer too',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:10', 'look', 'down; flip up→down missed'],
      ['10:20', 'start', 'down; run 10:20'],
      ['10:25', 'success at 09:58', 'down; run 10:20'],
      ['10:26', 'success', 'up; due 11:26; down 11:36; took 6m; flip down→up'],
    ],
  },
  {
    name: 'what is older than a pause does not end it',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:10', 'pause', 'paused; flip up→paused'],
      ['09:20', 'success at 09:05', 'paused'],
      ['09:21', 'success at 09:15', 'up; due 10:15; down 10:25; flip paused→up'],
    ],
  },
  {
    name: 'a check that is resumed by hand ignores it',
    settings: { ...everyHour, manual_resume: true },
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:10', 'pause', 'paused; flip up→paused'],
      ['09:21', 'success at 09:15', 'paused'],
    ],
  },
  {
    name: 'an entry in the log changes nothing',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:20', 'log at 09:10', 'up; due 10:00; down 10:10'],
    ],
  },
  {
    name: 'a new check comes up',
    settings: everyHour,
    steps: [['09:20', 'success at 09:10', 'up; due 10:10; down 10:20; flip new→up']],
  },
  {
    name: 'a new check stays new while what came next is missing',
    settings: everyHour,
    steps: [
      ['12:00', 'success at 09:10', 'new'],
      ['12:01', 'success at 11:10', 'up; due 12:10; down 12:20; flip new→up'],
    ],
  },
  {
    name: 'a new check goes down by an old failure',
    settings: everyHour,
    steps: [['3 12:00', 'fail at 09:10', 'down; flip new→down failed']],
  },
  {
    name: 'a clock that is a little ahead means now',
    settings: everyHour,
    steps: [['09:00', 'success at 09:03', 'up; due 10:00; down 10:10; flip new→up']],
  },
  {
    name: 'in the wrong order the newest decides',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:10', 'look', 'down; flip up→down missed'],
      ['10:30', 'success at 10:20', 'up; due 11:20; down 11:30; flip down→up'],
      ['10:31', 'fail at 10:15', 'up; due 11:20; down 11:30'],
    ],
  },
  {
    name: 'a success from before a failure leaves the check down',
    settings: everyHour,
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:30', 'fail', 'down; flip up→down failed'],
      ['09:40', 'success at 09:25', 'down'],
    ],
  },
  {
    name: 'own deadlines: the end of an overrun in time',
    settings: { ...hourly, max_duration: 1_800 },
    steps: [
      ['09:00:05', 'start a', 'new; down 09:30:05; run 09:00:05'],
      ['09:30:05', 'look', 'down; run 09:00:05 over; flip new→down overrun; passed overrun 09:30:05'],
      ['09:40', 'success a at 09:20', 'up; due 10:00; down 10:10; took 19m55s; flip down→up'],
    ],
  },
  {
    name: 'each: the end of a run after that of a newer one ends it without a result',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start a', 'new; down 11:00:05; runs a 09:00:05'],
      ['10:00:05', 'start b', 'new; down 11:00:05; runs a 09:00:05, b 10:00:05'],
      ['10:20', 'success b', 'up; due 11:00; down 11:00:05; runs a 09:00:05; flip new→up'],
      ['10:30', 'fail a at 10:10', 'up; due 11:00; down 11:10; took 1h9m55s'],
    ],
  },
  {
    name: 'each: the newest end counts, and has its true duration',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['10:20', 'success b', 'up; due 11:00; down 11:10; flip new→up'],
      ['11:00:05', 'start c', 'up; due 12:00; down 12:10; runs c 11:00:05'],
      ['11:50', 'success c at 11:40', 'up; due 12:00; down 12:10; took 39m55s'],
    ],
  },
  {
    name: 'failures are counted at their true times',
    settings: { ...hourly, failures_to_alert: 2 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:40', 'fail at 09:30', 'up; due 10:00; down 10:10; failing 1/2 since 09:30'],
      ['09:45', 'fail at 09:35', 'down; flip up→down failed since 09:30'],
    ],
  },
  {
    name: 'a success since the failure ends failures in a row, one from before does not',
    settings: { ...hourly, failures_to_alert: 2 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:40', 'fail', 'up; due 10:00; down 10:10; failing 1/2 since 09:40'],
      ['09:50', 'success at 09:35', 'up; due 10:00; down 10:10; failing 1/2 since 09:40'],
      ['09:51', 'success at 09:45', 'up; due 10:00; down 10:10'],
    ],
  },
  {
    name: 'a success for an occurrence that was counted as missed ends the streak',
    settings: { ...hourly, failures_to_alert: 2, tolerated: 'failed,missed' },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:10', 'look', 'up; due 11:00; down 11:10; failing 1/2 since 10:10; passed missed 10:10'],
      ['10:30', 'success at 10:02', 'up; due 11:00; count 11:10'],
    ],
  },
  {
    name: 'early pings are early by their true time',
    settings: { ...hourly, early: 60 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:03', 'success at 09:59:30', 'up; due 11:00; down 11:10'],
    ],
  },
  {
    name: 'min_duration: a short run is a failure when it is reported',
    settings: { ...hourly, min_duration: 60 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['09:20', 'success for 30 at 09:10', 'down; took 30s; flip up→down too_short'],
    ],
  },
  {
    name: 'successes in a row are counted until the check comes up',
    settings: { ...hourly, successes_to_recover: 2 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:10', 'look', 'down; flip up→down missed; passed missed 10:10'],
      ['10:20', 'success at 10:02', 'down; recovering 1'],
      ['10:21', 'success at 10:04', 'up; due 11:00; down 11:10; flip down→up'],
    ],
  },
  {
    name: 'start_within: a start in time that is reported late leaves the check down until its end',
    settings: { ...hourly, start_within: 300, max_duration: 3_600 },
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:05; flip new→up'],
      ['10:05', 'look', 'down; flip up→down missed; passed missed 10:05'],
      ['10:20', 'start a at 10:01', 'down; run 10:01'],
      ['10:30', 'success a at 10:25', 'up; due 11:00; down 11:05; took 24m; flip down→up'],
    ],
  },
  {
    name: 'a success that could not be received during an outage satisfies its occurrence',
    settings: hourly,
    holds: [['09:55', '10:30']],
    steps: [
      ['09:00:10', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:15', 'look', 'grace; due 10:00; down 10:10'],
      ['10:20', 'success at 10:01', 'up; due 11:00; down 11:10'],
    ],
  },
  {
    name: 'what is overdue only because of an outage does not keep the check down',
    settings: everyHour,
    holds: [['11:00', '11:30']],
    steps: [
      ['09:00', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:10', 'look', 'down; flip up→down missed'],
      ['11:20', 'success at 10:05', 'grace; due 11:05; down 11:15; flip down→up'],
    ],
  },
]
