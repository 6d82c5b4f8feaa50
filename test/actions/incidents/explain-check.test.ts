import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type ExplainDeps, explainCheck } from '../../../src/actions/incidents/explain-check.js'
import { passTime } from '../../_support/pass-time.js'

test('large explanations are made one at a time, the projects in turn, with pauses as long as they took', async t => {
  passTime(t)
  const log: string[] = []
  const explain = async (projectId: number) => {
    log.push(`${projectId} begins`)
    await new Promise(resolve => setTimeout(resolve, 40))
    return { channels: [] }
  }
  const store = { incidents: { explain } } as unknown as ExplainDeps['store']
  const shown = [1, 1, 1, 2].map(projectId =>
    explainCheck({ store }, { projectId, ref: { uuid: 'a' }, now: 0 }, ({ channels }) => {
      log.push(`${projectId} ends`)
      return channels.length
    }),
  )
  const pass = async (ms: number) => {
    for (let turn = 0; turn < 10; turn++) await setImmediate()
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }
  await pass(40)
  assert.equal(await shown[0], 0)
  await pass(39)
  assert.deepEqual(log, ['1 begins', '1 ends'])
  await pass(1)
  for (let turn = 0; turn < 5; turn++) await pass(40)
  assert.deepEqual(log.slice(2), ['1 begins', '1 ends', '2 begins', '2 ends', '1 begins', '1 ends'])
  await Promise.all(shown)
})
