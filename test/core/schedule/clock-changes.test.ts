/** Around every kind of clock change, occurrence by occurrence against a walk over all minutes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextAfter, parseSchedule, previousBefore } from '../../../src/core/schedule/index.js'
import { anyCron, anyOnCalendar } from '../../_support/fuzz/any-schedule.js'
import { changesIn, readingAt } from '../../_support/wall-clock.js'

const MINUTE = 60_000
const HOUR = 3_600_000

const YEARS: [zone: string, year: number][] = [
  ['Europe/Riga', 2021],
  ['America/New_York', 2024],
  ['America/Havana', 2022],
  ['America/Asuncion', 2023],
  ['America/St_Johns', 2006],
  ['America/Caracas', 2016],
  ['Africa/Casablanca', 2024],
  ['Africa/Monrovia', 1972],
  ['Antarctica/Troll', 2025],
  ['Asia/Pyongyang', 2018],
  ['Australia/Lord_Howe', 2024],
  ['Pacific/Apia', 2011],
  ['Pacific/Chatham', 2026],
  ['Pacific/Kwajalein', 1993],
]

interface Tick {
  instant: number
  reading: number
  /** Whether the clock shows this reading for the first time. */
  first: boolean
}

/** About a day to either side of one change, with the readings between which the clock jumps there. */
interface Window {
  zone: string
  change: number
  before: number
  after: number
  /** Each minute as the clock shows it, or half of one: Monrovia was once 44 minutes and a half off. */
  ticks: Tick[]
}

const windows = YEARS.flatMap(([zone, year]) =>
  changesIn(zone, year).map(
    (change): Window => ({
      zone,
      change,
      before: readingAt(zone, change - 1000) + 1000,
      after: readingAt(zone, change),
      ticks: ticksAround(zone, change),
    }),
  ),
)

function ticksAround(zone: string, change: number): Tick[] {
  const ticks: Tick[] = []
  let highest = Number.NEGATIVE_INFINITY
  for (let instant = change - 25 * HOUR; instant <= change + 25 * HOUR; instant += MINUTE / 2) {
    const reading = readingAt(zone, instant)
    ticks.push({ instant, reading, first: reading > highest })
    highest = Math.max(highest, reading)
  }
  return ticks
}

test('the test zones have clock changes of every kind', () => {
  const shifts = new Set(windows.map(({ before, after }) => (after - before) / MINUTE))
  for (const shift of [60, -60, 30, -30, 120, -120, 1440]) assert.ok(shifts.has(shift), `${shift} minutes`)
})

test('fixed-time cron jobs run once, moved to the end of a gap', () => {
  property(
    anyCron.filter(({ fixed }) => fixed),
    (drawn, window) => [
      ...window.ticks.filter(({ reading, first }) => first && drawn.names(reading)),
      ...gapOf(window)
        .filter(reading => drawn.names(reading))
        .map(() => ({ instant: window.change })),
    ],
  )
})

test('wildcard cron jobs run whenever the clock shows their time', () => {
  const everyHour = anyCron.filter(({ fixed, text }) => !fixed && text.split(' ')[1] === '*')
  property(everyHour, (drawn, window) => window.ticks.filter(({ reading }) => drawn.names(reading)))
})

test('wildcard cron jobs with fixed hours do so too if the clock moves by whole hours', () => {
  const someHours = anyCron.filter(({ fixed, text }) => !fixed && text.split(' ')[1] !== '*')
  property(
    someHours,
    (drawn, window) => window.ticks.filter(({ reading }) => drawn.names(reading)),
    ({ before, after }) => (after - before) % HOUR === 0,
  )
})

test('OnCalendar runs when its time is first shown, and never in a gap', () => {
  property(anyOnCalendar, (drawn, window) => {
    const past = [0, 10_000, 20_000]
    return window.ticks
      .filter(({ first }) => first)
      .flatMap(({ instant, reading }) =>
        past.filter(ms => drawn.names(reading + ms)).map(ms => ({ instant: instant + ms })),
      )
  })
})

function property<Drawn extends { text: string }>(
  schedules: fc.Arbitrary<Drawn>,
  expected: (drawn: Drawn, window: Window) => { instant: number }[],
  among: (window: Window) => boolean = () => true,
) {
  fc.assert(
    fc.property(schedules, fc.constantFrom(...windows.filter(among)), (drawn, window) => {
      const from = window.ticks[0]!.instant
      const to = window.ticks.at(-1)!.instant
      const wanted = [...new Set(expected(drawn, window).map(({ instant }) => instant))]
        .filter(instant => instant > from && instant < to)
        .sort((a, b) => a - b)
      const schedule = parseOrSkip(drawn.text)
      const { zone } = window
      const forward = walk(from, instant => within(nextAfter(schedule, zone, instant), from, to))
      assert.deepEqual(forward, wanted, `${drawn.text} in ${zone}, forward`)
      const backward = walk(to, instant => within(previousBefore(schedule, zone, instant), from, to))
      assert.deepEqual(backward.reverse(), wanted, `${drawn.text} in ${zone}, backward`)
    }),
    { numRuns: 300 },
  )
}

function parseOrSkip(text: string) {
  try {
    return parseSchedule(text)
  } catch {
    return fc.pre(false) as never
  }
}

function walk(from: number, step: (instant: number) => number | null): number[] {
  const found: number[] = []
  for (let instant = step(from); instant !== null; instant = step(instant)) found.push(instant)
  return found
}

function within(instant: number | null, from: number, to: number): number | null {
  return instant !== null && instant > from && instant < to ? instant : null
}

function gapOf({ before, after }: Window): number[] {
  const gap: number[] = []
  for (let reading = Math.ceil(before / 60_000) * 60_000; reading < after; reading += 60_000)
    gap.push(reading)
  return gap
}
