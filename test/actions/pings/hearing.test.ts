import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hearing } from '../../../src/actions/pings/hearing.js'
import { Changes } from '../../../src/lib/changes.js'
import { partOfCheck } from '../../../src/storage/instance/parts.js'

const NOW = 1_000_000
const NONE_QUEUED = { oldestAt: null, apartSince: () => new Map<number, number>() }

function openHearing(): Hearing {
  return new Hearing(NONE_QUEUED, new Changes(), { now: () => NOW })
}

function checksOf(projectId: number, count: number, from = 1) {
  return Array.from({ length: count }, (_, index) => ({
    checkId: projectId * 1_000 + from + index,
    projectId,
  }))
}

test('e-mails that are slow to read hold the deadlines of so many checks of each project', () => {
  const hearing = openHearing()
  const first = hearing.mayWait([...checksOf(1, 120), ...checksOf(2, 3)])
  assert.deepEqual(first, [...checksOf(1, 100), ...checksOf(2, 3)])
  const release = hearing.arriving(NOW, 8_000, first)
  assert.deepEqual(hearing.mayWait(checksOf(1, 120)), checksOf(1, 100), 'the same wait again')
  assert.deepEqual(hearing.mayWait(checksOf(1, 10, 500)), [], 'of another e-mail no more')
  assert.deepEqual(hearing.mayWait(checksOf(2, 200, 500)).length, 97)
  release()
  assert.deepEqual(hearing.mayWait(checksOf(1, 10, 500)), checksOf(1, 10, 500))
})

test('those that were refused count until their pings are noted as missed', () => {
  const hearing = openHearing()
  const checks = checksOf(1, 100)
  hearing.unread(checks, NOW)
  assert.deepEqual(hearing.mayWait(checksOf(1, 1, 500)), [])
  assert.equal(Object.keys(hearing.behind()).length, 100)
  for (const { checkId } of checks.slice(1)) hearing.missed.committed(NOW + 1, partOfCheck(checkId))
  assert.deepEqual(hearing.mayWait(checksOf(1, 120, 500)), checksOf(1, 99, 500))
})

test('a project with very many checks whose e-mails are slow to read holds no deadlines of others', () => {
  const hearing = openHearing()
  for (let mail = 0; mail < 20; mail++) {
    hearing.unread(checksOf(1, 100, mail * 100), NOW - 1_000)
  }
  assert.equal(hearing.heardUntil(NOW), NOW)
  assert.equal(Object.keys(hearing.behind()).length, 100)
})
