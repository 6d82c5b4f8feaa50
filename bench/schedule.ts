/**
 * How fast the next occurrence is found, compared with croner and cron-parser: `npm run bench:schedule`. Each library
 * first parses the same cron vectors and is then asked for the occurrence after their starts, the three alternately
 * in one process. Only vectors that all three answer correctly are compared. The ratios matter; absolute times depend
 * on the machine.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import { nextAfter, parseSchedule, zoneNames } from '../src/core/schedule/index.js'
import { packageRoot } from '../src/lib/package-root.js'

interface Vector {
  expr: string
  tz: string
  start: string
  next: string[]
  valid?: false
}

/** The next occurrence after an instant, both in milliseconds UTC. */
type Ask = (from: number) => number | null | undefined

/** The minimum duration of a round. */
const ROUND_MS = 0.4
const ROUNDS = 5

const RARE: Vector[] = ['0 0 29 2 MON#5', '0 0 29 2 */7', '0 0 * 2 MON#5', '* * 29 2 */3'].map(expr => ({
  expr,
  tz: 'America/New_York',
  start: '2080-03-01T00:00:00Z',
  next: [],
}))

const zones = measureZones()
const cron = readVectors('cron')
compareLibraries(cron)
report('every cron vector', cron)
report('every OnCalendar vector', readVectors('oncalendar'))
report('rare dates', RARE)
console.log(`the first question to each of ${zones.length} time zones, the very first aside:`)
console.log(`  ${micro(median(zones))} at the median, ${micro(Math.max(...zones.slice(1)))} at the slowest`)
console.log(`100,000 different schedules: ${bytesEach(100_000).toFixed(0)} bytes each, equal ones shared`)

function compareLibraries(vectors: Vector[]) {
  const names = ['Punctual', 'croner', 'cron-parser']
  const asked = vectors.map(vector => ({
    vector,
    asks: [ours(vector), croner(vector), cronParser(vector)],
  }))
  for (const [place, name] of names.entries()) {
    const wrong = asked.filter(({ vector, asks }) => !isRight(asks[place]!, vector)).length
    console.log(`${name} answers ${wrong} of ${vectors.length} cron vectors otherwise than the reference`)
  }

  const compared = asked.filter(({ vector, asks }) => asks.every(ask => isRight(ask, vector)))
  const times = compared.map(({ vector, asks }) => measure(asks, Date.parse(vector.start)))
  console.log(`the ${compared.length} cron vectors that all three answer right:`)
  for (const [place, name] of names.entries()) {
    const own = times.map(row => row[place]!)
    const ratio = median(times.map(row => row[place]! / row[0]!)).toFixed(0)
    console.log(`  ${name}: ${ratio} times ours at the median, ${spread(own)}`)
  }
}

function report(name: string, vectors: Vector[]) {
  const own = vectors.map(vector => measure([ours(vector)], Date.parse(vector.start))[0]!)
  console.log(`${name} (${vectors.length}): ${spread(own)}`)
}

function ours({ expr, tz }: Vector): Ask {
  const schedule = parseSchedule(expr)
  return from => nextAfter(schedule, tz, from)
}

function croner({ expr, tz }: Vector): Ask {
  const job = orNothing(() => new Cron(expr, { timezone: tz, paused: true }))
  return from => job?.nextRun(new Date(from))?.getTime()
}

function cronParser({ expr, tz }: Vector): Ask {
  const job = orNothing(() => CronExpressionParser.parse(expr, { tz }))
  return from => {
    job?.reset(new Date(from))
    return job?.next().getTime()
  }
}

/** Whether `ask` returns all the occurrences of `vector`, one after the other. */
function isRight(ask: Ask, { start, next }: Vector): boolean {
  return next.every(
    (wanted, at) => orNothing(() => ask(Date.parse(next[at - 1] ?? start))) === Date.parse(wanted),
  )
}

function orNothing<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** The time (ms) of one call of each, from the best of several alternating rounds. */
function measure(asks: readonly Ask[], from: number): number[] {
  const best = asks.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [place, ask] of asks.entries()) {
      const start = performance.now()
      let calls = 0
      let spent = 0
      while (spent < ROUND_MS) {
        ask(from)
        calls += 1
        spent = performance.now() - start
      }
      best[place] = Math.min(best[place]!, spent / calls)
    }
  }
  return best
}

/** The time (ms) until each zone has answered once; the first also loads the time zone data of the runtime. */
function measureZones(): number[] {
  const schedule = parseSchedule('30 3 * * *')
  return zoneNames().map(zone => {
    const start = performance.now()
    nextAfter(schedule, zone, Date.UTC(2026, 5, 1))
    return performance.now() - start
  })
}

function bytesEach(count: number): number {
  const kept: unknown[] = []
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let number = 0; number < count; number++) {
    const [minute, hour, day] = [number % 60, Math.floor(number / 60) % 24, Math.floor(number / 1440)]
    kept.push(parseSchedule(`${minute} ${hour} ${(day % 28) + 1} ${Math.floor(day / 28) + 1} *`))
  }
  global.gc?.()
  return (process.memoryUsage().heapUsed - before) / kept.length
}

function spread(times: number[]): string {
  return `${micro(median(times))} at the median, ${micro(Math.max(...times))} at the slowest`
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

function micro(ms: number): string {
  return `${(ms * 1000).toFixed(2)} µs`
}

/** The vectors that have an occurrence. */
function readVectors(kind: string): Vector[] {
  const lines = readFileSync(join(packageRoot, 'test/vectors', `${kind}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines
    .map(line => JSON.parse(line) as Vector)
    .filter(({ valid, next }) => valid !== false && next.length > 0)
}
