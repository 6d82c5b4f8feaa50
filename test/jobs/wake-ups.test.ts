import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wakeUps } from '../../src/jobs/wake-ups.js'
import type { CutHold } from '../../src/storage/instance/wake-after-cut.js'
import type { StoreWith } from '../../src/storage/store.js'

/** Wake-ups of 25 things that wait, ten at a time; `asked` has each time up to which they were woken. */
function openWakeUps({ fails = 0 } = {}) {
  const asked: number[] = []
  const errors: unknown[] = []
  const wakeAfterCut = async (_now: number, cut: CutHold) => {
    asked.push(cut.until)
    if (asked.length <= fails) throw new Error('the database is away')
    const left = cut.until > 10 ? { ...cut, until: cut.until - 10 } : null
    return { left, alerts: false, checks: false as const, wakeAt: null }
  }
  const store = { instance: { wakeAfterCut } } as unknown as StoreWith<'instance.wakeAfterCut'>
  const wakes = wakeUps({ store, clock: { now: () => 0 }, onError: error => errors.push(error) })
  const beat = async (cut?: CutHold) => {
    wakes.follow(cut)
    await wakes.done()
  }
  return { asked, errors, beat }
}

test('what waits for a hold that was cut is woken, and once more with the next beat', async () => {
  const { asked, beat } = openWakeUps()
  await beat()
  assert.deepEqual(asked, [])
  await beat({ from: 0, until: 25 })
  assert.deepEqual(asked, [25, 15, 5])
  await beat()
  assert.deepEqual(asked, [25, 15, 5, 25, 15, 5])
  await beat()
  assert.equal(asked.length, 6)
})

test('if waking fails, the next beats do it', async () => {
  const { asked, errors, beat } = openWakeUps({ fails: 2 })
  await beat({ from: 0, until: 5 })
  for (let beats = 0; beats < 5; beats++) await beat()
  assert.deepEqual(asked, [5, 5, 5, 5])
  assert.equal(errors.length, 2)
})
