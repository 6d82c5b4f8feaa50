import { everyHour, type History, hourly } from './history.js'

export const CHANGES: History[] = [
  {
    name: 'a pause forgets the failures counted; after the resume they start again',
    settings: { ...hourly, failures_to_alert: 2 },
    steps: [
      ['09:00:05', 'fail', 'up; due 10:00; down 10:10; failing 1/2 since 09:00:05; flip new→up'],
      ['09:30', 'pause', 'paused; flip up→paused'],
      ['09:40', 'resume', 'new; flip paused→new'],
      ['10:00:05', 'fail', 'up; due 11:00; down 11:10; failing 1/2 since 10:00:05; flip new→up'],
      ['10:00:10', 'pause', 'paused; flip up→paused'],
      ['11:00:05', 'fail', 'up; due 12:00; down 12:10; failing 1/2 since 11:00:05; flip paused→up'],
    ],
  },
  {
    name: 'a pause ends open runs, and a finish afterwards is a run without a start',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'start a', 'new; down 11:00:05; runs a 09:00:05'],
      ['09:05', 'pause', 'paused; flip new→paused'],
      ['09:10', 'success a', 'up; due 10:00; down 10:10; flip paused→up'],
    ],
  },
  {
    name: 'a check that resumes by hand ignores what comes while it is paused',
    settings: { ...hourly, manual_resume: true, failures_to_alert: 2 },
    steps: [
      ['09:00:05', 'pause', 'paused; flip new→paused'],
      ['09:10', 'fail', 'paused'],
      ['09:20', 'start', 'paused'],
      ['09:30', 'resume', 'new; flip paused→new'],
      ['10:00:05', 'fail', 'up; due 11:00; down 11:10; failing 1/2 since 10:00:05; flip new→up'],
    ],
  },
  {
    name: 'a lower tolerance holds from the next failure on',
    settings: { ...hourly, failures_to_alert: 5 },
    steps: [
      ['09:00:05', 'fail', 'up; due 10:00; down 10:10; failing 1/5 since 09:00:05; flip new→up'],
      ['10:00:05', 'fail', 'up; due 11:00; down 11:10; failing 2/5 since 09:00:05'],
      ['10:30', 'set', 'up; due 11:00; down 11:10; failing 2/2 since 09:00:05', { failures_to_alert: 2 }],
      ['11:00:05', 'fail', 'down; flip up→down failed since 09:00:05'],
    ],
  },
  {
    name: 'a limit that is set while a run is open holds for that run',
    settings: { ...hourly, grace: 3_600 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 11:00; flip new→up'],
      ['10:00:05', 'start', 'grace; due 10:00; down 11:00; run 10:00:05'],
      ['10:30', 'set', 'up; down 12:00:05; run 10:00:05', { max_duration: 7_200 }],
      ['11:30', 'set', 'up; down 13:00:05; run 10:00:05', { max_duration: 10_800 }],
      ['12:30', 'success', 'up; due 13:00; down 14:00; took 2h29m55s'],
    ],
  },
  {
    name: 'from each to latest the newest run stays, and back it stays too',
    settings: { ...hourly, track_runs: 'each', max_duration: 7_200 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'start a', 'up; due 11:00; down 11:10; runs a 10:00:05'],
      ['10:30', 'start b', 'up; due 11:00; down 11:10; runs a 10:00:05, b 10:30'],
      ['10:40', 'set', 'up; down 12:30; run 10:30', { track_runs: 'latest' }],
      ['10:50', 'set', 'up; due 11:00; down 11:10; runs b 10:30', { track_runs: 'each' }],
    ],
  },
  {
    name: 'another period: the multiples of the new one after the last ping that are still ahead of what was judged',
    settings: { ...everyHour, failures_to_alert: 3, tolerated: 'missed' },
    steps: [
      ['09:00', 'success', 'up; due 10:00; count 10:10; flip new→up'],
      ['10:10', 'look', 'up; due 11:00; count 11:10; failing 1/3 since 10:10; passed missed 10:10'],
      ['10:20', 'set', 'up; due 12:00; count 12:10; failing 1/3 since 10:10', { timeout: 10_800 }],
    ],
  },
  {
    name: 'settings back to the defaults: nothing is left to remember after the next success',
    settings: { ...hourly, failures_to_alert: 3 },
    steps: [
      ['09:00:05', 'fail', 'up; due 10:00; down 10:10; failing 1/3 since 09:00:05; flip new→up'],
      ['09:30', 'set', 'up; due 10:00; down 10:10', { failures_to_alert: 1 }],
      ['10:00:05', 'success', 'up; due 11:00; down 11:10'],
      ['11:00:05', 'fail', 'down; flip up→down failed'],
    ],
  },
  {
    name: 'from latest to each: the open run counts for its occurrence',
    settings: { ...hourly, max_duration: 7_200 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'start', 'up; down 12:00:05; run 10:00:05'],
      ['10:30', 'set', 'up; due 11:00; down 11:10; runs - 10:00:05', { track_runs: 'each' }],
    ],
  },
  {
    name: 'a shorter period: of what would have been due before only the last is asked for',
    settings: { timeout: 86_400, failures_to_alert: 100, tolerated: 'missed' },
    steps: [
      ['09:00', 'success', 'up; due 3 09:00; count 3 09:10; flip new→up'],
      ['3 08:00', 'set', 'grace; due 3 08:00; count 3 08:10', { timeout: 60 }],
    ],
  },
  {
    name: 'a pause judges the deadlines before it',
    settings: { ...hourly, max_duration: 3_600 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:11', 'pause', 'paused; passed missed 10:10; flip up→down missed 10:10; flip down→paused'],
    ],
  },
  {
    name: 'a pause forgets the successes of a recovery',
    settings: { ...hourly, successes_to_recover: 3 },
    steps: [
      ['09:00:05', 'fail', 'down; flip new→down failed'],
      ['09:01', 'success', 'down; recovering 1'],
      ['09:02', 'pause', 'paused; flip down→paused'],
      ['09:03', 'success', 'up; due 10:00; down 10:10; flip paused→up'],
    ],
  },
  {
    name: 'a failure of a paused check that is not tolerated',
    settings: { ...hourly, max_duration: 3_600 },
    steps: [
      ['09:00', 'pause', 'paused; flip new→paused'],
      ['09:10', 'fail', 'down; flip paused→down failed'],
    ],
  },
  {
    name: 'a limit that is taken away while a run is open: the deadline of the defaults, which has passed',
    settings: { ...hourly, max_duration: 14_400 },
    steps: [
      ['09:00:05', 'success', 'up; due 10:00; down 10:10; flip new→up'],
      ['10:00:05', 'start', 'up; down 14:00:05; run 10:00:05'],
      ['12:00', 'set', 'down; due 10:00; down 10:10; run 10:00:05', { max_duration: null }],
      ['12:01', 'look', 'down; run 10:00:05; flip up→down missed 10:10'],
    ],
  },
]
