/** Every vector of test/vectors: what the reference answers, expression by expression. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nextAfter, parseSchedule, ScheduleError } from '../../../src/core/schedule/index.js'
import { packageRoot } from '../../../src/lib/package-root.js'

interface Vector {
  kind: 'cron' | 'oncalendar'
  expr: string
  tz: string
  start: string
  next: string[]
  valid?: false
}

for (const kind of ['cron', 'oncalendar']) {
  test(`every ${kind} vector has the occurrences of the reference`, context => {
    const vectors = readVectors(kind)
    const wrong = vectors.flatMap(vector => {
      const found = outcome(vector)
      const wanted = vector.valid === false ? 'refused' : vector.next.join(' ')
      return found === wanted ? [] : [`${JSON.stringify(vector)} gives ${found}`]
    })
    assert.deepEqual(wrong, [])
    context.diagnostic(`${vectors.length} ${kind} vectors ran`)
  })
}

function readVectors(kind: string): Vector[] {
  const lines = readFileSync(join(packageRoot, 'test/vectors', `${kind}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => JSON.parse(line))
}

function outcome({ expr, tz, start, next, valid }: Vector): string {
  try {
    const schedule = parseSchedule(expr)
    if (valid === false) return 'read'
    const found: string[] = []
    let instant: number | null = Date.parse(start)
    // Fewer than four occurrences mean that the schedule ended there.
    while (found.length < Math.min(4, next.length + 1)) {
      instant = nextAfter(schedule, tz, instant)
      if (instant === null) break
      found.push(new Date(instant).toISOString().replace('.000', ''))
    }
    return found.join(' ')
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    // The vectors hold some that can be read but never occur; whoever reads them for use refuses those.
    return error.expected.includes('occurs') ? '' : 'refused'
  }
}
