/** What alerts say about dependencies and holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatFacts } from '../../../src/integrations/text/chat-text.js'
import { dependencyFacts } from '../../../src/integrations/text/dependency-facts.js'
import { anAlert } from '../../_support/alert.js'

test('a down alert names some of the checks that depend on it', () => {
  const said = (count: number, names: string[]) =>
    dependencyFacts(anAlert({ dependants: { count, names } }), 'UTC').map(({ value }) => value)
  assert.deepEqual(said(40, ['A', 'B']), ['40 checks depend on it and are held: A, B and 38 more'])
  assert.deepEqual(said(1, ['A']), ['1 check depends on it and is held: A'])
  assert.deepEqual(dependencyFacts(anAlert(), 'UTC'), [])
})

test('a recovery lists the dependants that are still down', () => {
  const alert = anAlert({ status: 'up', dependants: { count: 2, names: ['A', 'B'] } })
  assert.deepEqual(dependencyFacts(alert, 'UTC'), [
    { label: 'Dependants', value: '2 checks depend on it and are still down: A, B' },
  ])
})

test('an alert that was held says by what and since when, in the time zone of the channel', () => {
  const held = { by: 'dependency: Router', since: anAlert().now - 65 * 60_000 }
  const [fact] = dependencyFacts(anAlert({ held }), 'UTC')
  assert.deepEqual(fact, { label: 'Held By', value: 'dependency: Router since 10:55 UTC' })
  assert.ok(
    chatFacts(anAlert({ held }), 'Europe/Riga').some(({ value }) => value.endsWith('12:55 UTC+02:00')),
  )
})
