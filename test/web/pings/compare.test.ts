import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, charlie, clock } = world
const bytes = (text: string) => new TextEncoder().encode(text)
const compare = async (uuid: string, query = '') => await alice.get(`/checks/${uuid}/compare/${query}`)

async function run(
  uuid: string,
  seconds: number,
  body: string | Uint8Array,
  action: 'success' | 'fail' = 'success',
) {
  await pingCheck(world, uuid, 'start')
  clock.advance(seconds)
  await pingCheck(world, uuid, action, { body: typeof body === 'string' ? bytes(body) : body })
  clock.advance(60)
}

test('two runs are compared by their facts, durations and the lines of their outputs', async () => {
  const uuid = await world.addCheck('Compared')
  await run(uuid, 60, 'begin\n<b>one</b>\n\x1b[32mend\x1b[0m')
  await run(uuid, 90, 'begin\ntwo\nend\nmore')
  const { status, text } = await compare(uuid, '?a=2&b=4')
  assert.equal(status, 200)
  assert.match(wordsOf(text), /1 min\s*1 min 30 s\s*30 s longer, \+50\u00a0%/)
  assert.match(wordsOf(text), /1 line only in the first, 2 lines only in the second/)
  assert.match(
    text,
    /class="diff-same"> {2}begin\n.*diff-removed">− &lt;b&gt;one&lt;\/b&gt;.*diff-added">\+ two.*diff-same"> {2}end/s,
  )
  assert.match(wordsOf((await compare(uuid, '?a=4&b=2')).text), /30 s shorter, −33\u00a0%/)
})

test('without a choice the last run is compared with the last success before it', async () => {
  const uuid = await world.addCheck('Chosen')
  assert.match((await compare(uuid)).text, /no two runs/)
  await run(uuid, 5, 'fine')
  await run(uuid, 5, 'broken', 'fail')
  await run(uuid, 5, 'broken again', 'fail')
  const heads = (text: string) => [...text.matchAll(/>Ping #(\d+)</g)].map(match => Number(match[1]))
  assert.deepEqual(heads((await compare(uuid)).text), [2, 6])
  assert.deepEqual(heads((await compare(uuid, '?b=4')).text), [2, 4])
  assert.deepEqual(heads((await compare(uuid, '?a=x&b=-1')).text), [2, 6])
  assert.match((await alice.get(`/checks/${uuid}/pings/4/`)).text, /compare\/\?b=4">Compare/)
})

test('pings that are not kept, and outsiders, get nothing; binary outputs are not compared', async () => {
  const uuid = await world.addCheck('Others')
  await run(uuid, 5, 'text')
  await run(uuid, 5, Uint8Array.from([0, 1, 2, 3]))
  assert.equal((await compare(uuid, '?a=2&b=99')).status, 404)
  assert.equal((await charlie.get(`/checks/${uuid}/compare/?a=2&b=4`)).status, 404)
  assert.match((await compare(uuid)).text, /only texts are compared/)
})
