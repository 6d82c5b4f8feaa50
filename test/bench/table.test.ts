import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sectionOf, withSection } from '../../bench/table.js'

const machine = {
  measuredAt: '2030-01-02T03:04:05.000Z',
  cpu: 'x',
  cores: 2,
  memoryGb: 4,
  node: 'v24.0.0',
  load: 'wrk',
  fsyncMs: 1,
  loadAverage: 0.5,
} as const
const figure = (value: number, cpu: number) => ({
  what: 'created',
  unit: '/s',
  value,
  also: { 'p99 ms': 9.87, 'cpu µs': cpu },
})
const result = (engine: 'sqlite' | 'postgres', value: number, cpu: number) => ({
  case: 'create-checks',
  engine,
  title: '',
  target: '',
  figures: [figure(value, cpu)],
})

test('the table of the benchmark has a line for each figure with both engines', () => {
  const section = sectionOf(machine, [result('sqlite', 5_432.1, 200), result('postgres', 1_234, 500)])
  assert.match(
    section,
    /^\| create-checks: created \| 5,430 \/s, p99 9\.87 ms \| 1,230 \/s, p99 9\.87 ms \| 200 µs \| 500 µs \| 2\.5 times \|$/m,
  )
  assert.doesNotMatch(sectionOf(machine, [result('sqlite', 1, 1)]), /created/)
})

test('the table of the benchmark replaces the one in the page', () => {
  const page = '# Performance\n\n## The figures\n\n## PostgreSQL beside SQLite\n\nText.\n'
  const once = withSection(page, sectionOf(machine, [result('sqlite', 1, 1), result('postgres', 2, 2)]))
  assert.match(
    once,
    /## The figures\n\n## Every case on both engines\n[\s\S]*created[\s\S]*\n\n## PostgreSQL beside/,
  )
  const twice = withSection(once, sectionOf(machine, []))
  assert.doesNotMatch(twice, /created/)
  assert.equal(twice.match(/## Every case/g)?.length, 1)
})
