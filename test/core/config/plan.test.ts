/** Reading a file, and what a plan says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignKeys } from '../../../src/core/config/assign-keys.js'
import type { PlanOptions } from '../../../src/core/config/planned.js'
import { bySection, type Json, type ProjectConfig } from '../../../src/core/config/project-config.js'
import { substitute } from '../../../src/core/config/substitute.js'
import { integrations } from '../../../src/integrations/index.js'
import { applyPlan, plan, readDocument } from '../../_support/config/at-once.js'
import { channels, UNTRIED, UNTRIED_KINDS } from '../../_support/config/random-document.js'

const options: PlanOptions = { owner: 'punctual.yaml', prune: false, maxDeletes: null, channels }
const EMPTY: ProjectConfig = bySection(() => new Map())

const planOf = (current: ProjectConfig, document: Json, given: Partial<PlanOptions> = {}) => {
  const read = readDocument(document, channels)
  assert.deepEqual(read.problems, [])
  return plan(current, read, { ...options, ...given })
}

const applied = (document: Json, current = EMPTY, given: Partial<PlanOptions> = {}) => {
  const planned = planOf(current, document, given)
  assert.deepEqual(planned.problems, [])
  return applyPlan(current, planned, { ...options, ...given })
}

const summary = ({ steps }: ReturnType<typeof plan>) =>
  steps.map(
    ({ action, section, key, fields }) => `${action} ${section}.${key} ${fields.map(({ name }) => name)}`,
  )

test('defaults that are too long for so many checks are refused before anything is made of them', () => {
  const checks = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`c${n}`, {}]))
  for (const long of [{ channels: ['x'.repeat(300_000)] }, { desc: 'x'.repeat(300_000) }]) {
    const read = readDocument({ defaults: long, checks }, channels)
    assert.deepEqual(
      read.problems.map(({ at }) => at),
      [['defaults']],
    )
    assert.match(read.problems[0]!.problem, /The defaults of 1500 checks have 4500\d+ characters in all/)
    assert.ok(JSON.stringify([...read.objects.checks].map(([, values]) => [...values])).length < 1e6)
  }
  const few = Object.fromEntries(Object.entries(checks).slice(0, 10))
  assert.deepEqual(
    readDocument({ defaults: { desc: 'x'.repeat(300_000) }, checks: few }, channels).problems,
    [],
  )
})

test('of very many names that are missing the first are told', () => {
  const checks = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`c${n}`, {}]))
  const names = Array.from({ length: 30 }, (_, n) => `n${n}`)
  const { problems } = planOf(EMPTY, { defaults: { channels: names }, checks })
  assert.equal(problems.length, 1_001)
  assert.match(problems[0]!.problem, /There is no “n0” in channels/)
  assert.match(problems.at(-1)!.problem, /There are more problems/)
})

const wrong: [string, Json, at: string, problem: RegExp][] = [
  ['an unknown part', { chekcs: {} }, 'chekcs', /There is no “chekcs”/],
  ['an unknown field', { checks: { a: { graze: 1 } } }, 'checks.a.graze', /There is no field “graze”/],
  ['a length without a unit', { checks: { a: { grace: '5' } } }, 'checks.a.grace', /Add a unit/],
  ['a length out of range', { checks: { a: { grace: 5 } } }, 'checks.a.grace', /from 1 minute/],
  ['two schedules', { checks: { a: { period: 60, cron: '* * * * *' } } }, 'checks.a.cron', /only one of/],
  ['a bad schedule', { checks: { a: { cron: '61 * * * *' } } }, 'checks.a.cron', /The first field/],
  ['a bad key', { checks: { 'A b': {} } }, 'checks.A b', /A key has only/],
  ['a check that is no object', { checks: { a: [] } }, 'checks.a', /Give the fields/],
  ['a kind that does not exist', { channels: { a: { kind: 'fax' } } }, 'channels.a.kind', /one of: apprise/],
  ['a bad step', { policies: { a: { steps: [{ after: 'x' }] } } }, 'policies.a.steps', /length of time/],
  ['a bad scope', { silences: { a: { scope: {} } } }, 'silences.a.scope', /Give/],
  ['bad times', { silences: { a: { when: { from: 'now', to: 'then' } } } }, 'silences.a.when', /Give/],
  ['a moved object without a new key', { moved: { a: 'b' } }, 'moved.a', /new key/],
  ['a list', [], '', /one or more of/],
  ['a NUL in a name', { checks: { a: { name: 'a\0b' } } }, 'checks.a.name', /cannot be stored/],
  [
    'half of a pair in a name',
    { channels: { a: { kind: 'email', name: '\ud800' } } },
    'channels.a.name',
    /cannot/,
  ],
  [
    'a NUL in a tag',
    { silences: { a: { scope: { tags: ['\0'] } } } },
    'silences.a.scope',
    /cannot be stored/,
  ],
  ['a NUL in the name of the project', { project: '\0' }, 'project', /cannot be stored/],
]

for (const [name, document, at, problem] of wrong) {
  test('the checks of a file have at most 500,000 channels in all', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, place) => `key-${place}`)
    const document = (checks: number, more: Json = {}): Json => ({
      defaults: { channels: keys(500) },
      checks: { ...Object.fromEntries(keys(checks).map(key => [key, {}])), ...(more as object) },
    })
    assert.deepEqual(readDocument(document(1_000), channels).problems, [])
    assert.deepEqual(readDocument(document(1_000, { other: { channels: ['a'] } }), channels).problems, [
      {
        at: ['defaults', 'channels'],
        problem:
          'The checks of a file have at most 500000 channels in all, not 500001: name groups of channels.',
      },
    ])
  })

  test(`a file with ${name} is refused with its place`, () => {
    const [first] = readDocument(document, channels).problems
    assert.equal(first?.at.join('.'), at)
    assert.match(first.problem, problem)
  })
}

test('variables are replaced, and a missing one is named with its place', () => {
  const given = substitute({ a: [`$\${X} \${X} $X`, { b: `\${MISSING}` }] }, { X: '5' })
  assert.deepEqual((given.document as { a: Json[] }).a[0], `\${X} 5 $X`)
  assert.deepEqual(given.problems, [{ at: ['a', '1', 'b'], problem: 'The variable MISSING is not set.' }])
})

test('a field that is not in the file stays, and null resets it', () => {
  const current = applied({ checks: { a: { grace: '2 h', name: 'A' } } })
  assert.deepEqual(summary(planOf(current, { checks: { a: { name: 'A' } } })), [])
  const [step] = planOf(current, { checks: { a: { grace: null } } }).steps
  assert.deepEqual(step?.fields, [{ name: 'grace', before: 7_200, after: 3_600, isSecret: false }])
})

test('defaults apply to the checks that say nothing else', () => {
  const { checks } = applied({
    defaults: { timezone: 'Europe/Riga', cron: '0 3 * * *' },
    checks: { a: {}, b: { timezone: 'UTC', period: 60 } },
  })
  assert.equal(checks.get('a')!.values.get('timezone'), 'Europe/Riga')
  assert.equal(checks.get('a')!.values.get('cron'), '0 3 * * *')
  assert.equal(checks.get('b')!.values.get('timezone'), 'UTC')
  assert.equal(checks.get('b')!.values.get('cron'), null)
})

test('a plan adopts what people made and leaves what another file made', () => {
  const made = applied({ checks: { a: {}, b: {} } }, EMPTY, { owner: 'other.yaml' })
  const [a, b] = [made.checks.get('a')!, made.checks.get('b')!]
  const current = {
    ...made,
    checks: new Map([
      ['a', { ...a, owner: null }],
      ['b', b],
    ]),
  }
  const planned = planOf(current, { checks: { a: { name: 'A' }, b: {} } })
  assert.deepEqual(summary(planned), ['adopt checks.a name'])
  assert.deepEqual(planned.problems, [{ at: ['checks', 'b'], problem: 'It is managed by other.yaml.' }])
})

test('only with prune is anything deleted, and never more than a fifth unless told', () => {
  const current = applied({ checks: { a: {}, b: { depends_on: ['a'] } } })
  const file = { checks: { b: {} } }
  assert.deepEqual(planOf(current, file).left, [{ section: 'checks', key: 'a' }])
  assert.match(planOf(current, file, { prune: true }).problems[0]!.problem, /1 would be deleted, at most 0/)
  const after = applied(file, current, { prune: true, maxDeletes: 1 })
  assert.deepEqual([...after.checks.keys()], ['b'])
  assert.deepEqual(after.checks.get('b')!.values.get('depends_on'), [])
})

test('what the file still names is not deleted', () => {
  const silences = {
    w: { scope: { checks: ['a'] }, when: { from: '2026-01-02T03:00:00Z', to: '2026-01-02T05:00:00Z' } },
  }
  const current = applied({ checks: { a: {} }, silences })
  const planned = planOf(current, { silences }, { prune: true, maxDeletes: 1 })
  assert.deepEqual(
    planned.problems.map(({ at }) => at.join('.')),
    ['silences.w.scope'],
  )
})

test('a moved check keeps its values and is named by its new key', () => {
  const current = applied({ checks: { old: { grace: '2 h' }, b: { depends_on: ['old'] } } })
  const file = { moved: { old: 'new' }, checks: { new: {}, b: { depends_on: ['new'] } } }
  assert.deepEqual(summary(planOf(current, file)), ['change checks.new slug'])
  const after = applied(file, current)
  assert.equal(after.checks.get('new')!.values.get('grace'), 7_200)
  assert.deepEqual(summary(planOf(after, file)), [])
})

test('a plan refuses names that do not exist, circles, and rules that cannot be meant', () => {
  const problemsOf = (document: Json) => planOf(EMPTY, document).problems.map(({ at }) => at.join('.'))
  assert.deepEqual(problemsOf({ checks: { a: { channels: ['x'] } } }), ['checks.a.channels'])
  const circle = { a: { depends_on: ['b'] }, b: { depends_on: ['a'] } }
  assert.equal(problemsOf({ checks: circle }).length, 1)
  assert.deepEqual(problemsOf({ checks: { a: { min_duration: 60, max_duration: 60 } } }), [
    'checks.a.min_duration',
  ])
  assert.deepEqual(problemsOf({ channels: { a: { kind: 'slack' } } }), ['channels.a.url'])
})

test('a file can have every field of a check and every kind of channel', () => {
  assert.deepEqual(UNTRIED, [])
  assert.deepEqual(UNTRIED_KINDS, [])
  assert.deepEqual(
    [...channels.keys()],
    integrations.map(({ kind }) => kind),
  )
  for (const { fields } of integrations) {
    assert.ok(fields.every(({ name }) => name !== 'kind' && name !== 'name'))
  }
})

test('objects that no file made get keys from their names, each its own', () => {
  const named = ['Ops & Dev', 'ops-dev', '', '', 'ops dev', 'Ōps'].map(name => ({ key: null, name }))
  assert.deepEqual(assignKeys([...named, { key: 'ops', name: 'x' }], 'channel'), [
    'ops-dev',
    'ops-dev-2',
    'channel',
    'channel-2',
    'ops-dev-3',
    'ops-2',
    'ops',
  ])
  const long = assignKeys(
    [
      { key: null, name: 'a'.repeat(200) },
      { key: null, name: 'a'.repeat(200) },
    ],
    'check',
  )
  assert.deepEqual(
    long.map(key => key.length),
    [100, 100],
  )
})
