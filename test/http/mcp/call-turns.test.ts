/** The turns of calls of tools that read. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { callTool, type ToolCaller } from '../../../src/http/mcp/call-tool.js'
import type { Tool } from '../../../src/http/mcp/tools.js'
import { FakeClock } from '../../_support/clock.js'
import { passTime } from '../../_support/pass-time.js'

const READING = toolOf('GET', true)

function toolOf(method: string, readOnlyHint: boolean) {
  const listed = { name: 'a_tool', annotations: { readOnlyHint } }
  return {
    listed,
    method,
    path: '/x',
    operation: {},
    inPath: new Set(),
    inQuery: new Set(),
  } as unknown as Tool
}

function world(t: TestContext) {
  passTime(t)
  const running: string[] = []
  const ends: (() => void)[] = []
  const gone = new Set<string>()
  const call = (who: string, tool = READING) => {
    const ask = async () => {
      running.push(who)
      await new Promise<void>(resolve => ends.push(resolve))
      return new Response('{}')
    }
    const isWanted = () => !gone.has(who)
    const caller = { ask, who, isWanted, clock: new FakeClock(), credential: '', project: null } as ToolCaller
    return callTool(caller, tool, {})
  }
  const end = async () => {
    ends.shift()!()
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }
  return { call, end, running, gone }
}

test('calls that read follow each other, those of several callers in turn', async t => {
  const { call, end, running } = world(t)
  const calls = ['a', 'a', 'a', 'b'].map(who => call(who))
  assert.deepEqual(running, ['a'])
  for (const order of ['aa', 'aab', 'aaba', 'aaba']) {
    await end()
    assert.equal(running.join(''), order)
  }
  await Promise.all(calls)
})

test('a call that changes something waits for no turn', async t => {
  const { call, end, running } = world(t)
  const calls = [call('a'), call('b', toolOf('POST', false))]
  assert.deepEqual(running, ['a', 'b'])
  await end()
  await end()
  await Promise.all(calls)
})

test('a call that reads is not carried out when nobody waits for it any more', async t => {
  const { call, end, running, gone } = world(t)
  const calls = [call('a'), call('b')]
  gone.add('b')
  await end()
  assert.deepEqual(running, ['a'])
  assert.equal((await calls[1])!.isError, true)
})
