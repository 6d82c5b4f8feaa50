/** Fresh random OnCalendar expressions against systemd itself, where it is on the machine. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextAfter, parseSchedule, ScheduleError } from '../../../src/core/schedule/index.js'
import { anyOnCalendar } from '../../_support/fuzz/any-schedule.js'
import { changesIn, readingAt } from '../../_support/wall-clock.js'

const HOUR = 3_600_000
const ITERATIONS = 4

/** Clocks that jump by whole hours at whole hours: of an hour that a jump ends within, systemd 252 loses the rest. */
const ZONES = [
  'UTC',
  'Europe/Riga',
  'America/New_York',
  'America/Havana',
  'America/St_Johns',
  'Asia/Kathmandu',
]

const present =
  spawnSync('systemd-analyze', ['--version']).status === 0 && existsSync('/usr/share/zoneinfo/Europe/Riga')

const expressions = fc.array(
  fc
    .tuple(
      anyOnCalendar.filter(({ text }) => stepsFit(text)),
      fc.constantFrom('', '', '', '2024..2027', '2020/3', '25,27'),
      fc.constantFrom('', '', '', ' UTC', ' Europe/Riga', ' America/New_York'),
    )
    .map(([{ text }, years, zone]) => (years ? text.replace('*-', `${years}-`) : text) + zone),
  { minLength: 40, maxLength: 40 },
)

test('OnCalendar occurrences are as in systemd', context => {
  if (!present) {
    context.diagnostic('systemd-analyze is absent, nothing was compared')
    return
  }
  let compared = 0
  let givenUp = 0
  const bases = fc.constantFrom(...ZONES.flatMap(zone => startsIn(zone).map(start => ({ zone, start }))))
  fc.assert(
    fc.property(expressions, bases, (texts, { zone, start }) => {
      const read = texts.filter(isRead)
      // Which showing of a repeated hour systemd means depends on the season it starts from, so clocks are compared.
      const shown = (text: string, instants: number[]) =>
        instants.map(one => readingAt(zoneOf(text) ?? zone, one))
      const answers = askSystemd(read, zone, start)
      for (const [at, text] of read.entries()) {
        const answer = answers[at]!
        if (answer === null) givenUp += 1
        else
          assert.deepEqual(
            shown(text, ours(text, zone, start)),
            shown(text, answer),
            `${text} in ${zone} from ${start}`,
          )
        compared += 1
      }
    }),
    { numRuns: 60 },
  )
  context.diagnostic(`${compared} random expressions compared with systemd, which gave up on ${givenUp}`)
})

/**
 * Moments around the clock changes of a year, save those at which the clock shows what it has shown before:
 * systemd goes on from there with the second showing, the reference and we do not.
 */
function startsIn(zone: string): number[] {
  const around = changesIn(zone, 2025).flatMap(change =>
    [-30, -3, -1, 3, 30].map(hours => change + hours * HOUR),
  )
  return [...around, Date.UTC(2025, 0, 15, 7, 8, 9), Date.UTC(2026, 5, 30, 23, 59, 59)]
}

function zoneOf(text: string): string | undefined {
  return /[A-Z]\S*$/.exec(text)?.[0]
}

function isRead(text: string): boolean {
  try {
    parseSchedule(text)
    return true
  } catch (error) {
    if (error instanceof ScheduleError && error.message.includes('never')) return false
    throw error
  }
}

/** Whether each step fits its range a whole number of times: versions of systemd differ where one does not. */
function stepsFit(text: string): boolean {
  const [time, date] = text.split(' ').reverse() as [string, string]
  if (date.includes('/')) return false
  return time.split(':').every((field, place) => {
    const [, first, step] = /^(\d+)\/(\d+)$/.exec(field) ?? []
    return first === undefined || ((place === 0 ? 24 : 60) - Number(first)) % Number(step) === 0
  })
}

/** What systemd answers to each of `texts`: null where it says that it was caught in a loop, as version 252 can be. */
function askSystemd(texts: string[], zone: string, start: number): (number[] | null)[] {
  const base = `--base-time=${new Date(start).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const { stdout, stderr, status } = spawnSync(
    'systemd-analyze',
    ['calendar', base, `--iterations=${ITERATIONS}`, ...texts],
    { env: { TZ: zone, LC_ALL: 'C', PATH: process.env.PATH ?? '' }, encoding: 'utf8' },
  )
  if (status !== 0 && stderr.includes('Infinite loop')) {
    return texts.length === 1 ? [null] : texts.flatMap(text => askSystemd([text], zone, start))
  }
  assert.equal(status, 0, stderr)
  const answers = stdout.split('Normalized form:').slice(1)
  assert.equal(answers.length, texts.length)
  return answers.map(answer =>
    [...answer.matchAll(/: \w{3} (\S+ \S+) UTC$/gm)].map(([, moment]) =>
      Date.parse(`${moment!.replace(' ', 'T')}Z`),
    ),
  )
}

function ours(text: string, zone: string, start: number): number[] {
  const schedule = parseSchedule(text)
  const found: number[] = []
  for (let instant: number | null = start; found.length < ITERATIONS; ) {
    instant = nextAfter(schedule, zone, instant)
    if (instant === null) break
    found.push(instant)
  }
  return found
}
