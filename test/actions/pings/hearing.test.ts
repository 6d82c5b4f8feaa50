import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hearing } from '../../../src/actions/pings/hearing.js'
import { Changes } from '../../../src/lib/changes.js'
import { partOfCheck, partOfProject } from '../../../src/storage/instance/parts.js'

const NOW = 1_000_000

function openHearing(): Hearing {
  return new Hearing({ oldestAt: null, apartSince: () => [] }, new Changes(), { now: () => NOW })
}

function checksOf(projectId: number, count: number, from = 1) {
  return Array.from({ length: count }, (_, index) => ({
    checkId: projectId * 100_000 + from + index,
    projectId,
  }))
}

test('e-mails that are slow to read hold the deadlines of their checks, and of few others', () => {
  const hearing = openHearing()
  const [first, second] = [checksOf(1, 120), checksOf(2, 3)]
  const release = hearing.arriving(NOW - 10, 8_000, [...first, ...second])
  assert.equal(hearing.heardUntil(NOW), NOW)
  const ofSecond = second.map(({ checkId }) => [partOfCheck(checkId), NOW - 10])
  const expected = Object.fromEntries([[partOfProject(1), NOW - 10], ...ofSecond])
  assert.deepEqual(hearing.behind(), expected)
  release()
  assert.deepEqual(hearing.behind(), {})
})

test('checks of which pings wait and others were refused count together', () => {
  const hearing = openHearing()
  hearing.arriving(NOW - 10, 8_000, checksOf(1, 60))
  hearing.refused(checksOf(1, 60, 31), NOW - 20)
  assert.equal(Object.keys(hearing.behind()).length, 90, 'few of both are single checks')
  hearing.refused(checksOf(1, 11, 91), NOW - 30)
  assert.deepEqual(hearing.behind(), { [partOfProject(1)]: NOW - 30 })
})

test('a project with very many checks whose e-mails are refused holds no deadlines of others', () => {
  const hearing = openHearing()
  const checks = checksOf(1, 20_000)
  hearing.refused(checks, NOW - 1_000)
  assert.equal(hearing.heardUntil(NOW), NOW)
  assert.deepEqual(hearing.behind(), { [partOfProject(1)]: NOW - 1_000 })
  assert.deepEqual(hearing.missed.behind(), hearing.behind())
  assert.equal(hearing.missed.since(), null)
  hearing.missed.recovered(
    checks.map(({ checkId }) => partOfCheck(checkId)),
    NOW,
  )
  assert.deepEqual(hearing.missed.failingParts, [])
  const [missed, ...others] = hearing.missed.over()
  assert.deepEqual([missed!.part, missed!.from, missed!.to, others], [partOfProject(1), NOW - 1_000, NOW, []])
})

test('a freeze in which the clock is set back by as much is on record', () => {
  const hearing = openHearing()
  const began = performance.now()
  hearing.stalls.note(began)
  hearing.stalls.note(began + 20_000)
  assert.equal(hearing.heardUntil(NOW), NOW - 20_000)
  assert.deepEqual(hearing.missed.over(), [{ from: NOW - 20_000, to: NOW }])
})

test('trouble of very many projects is trouble of all checks', () => {
  const hearing = openHearing()
  for (let project = 1; project <= 1_001; project++) hearing.refused(checksOf(project, 1), NOW - project)
  assert.deepEqual([hearing.heardUntil(NOW), hearing.behind()], [NOW - 1_001, {}])
  assert.deepEqual([hearing.missed.since(), hearing.missed.behind()], [NOW - 1_001, {}])
})
