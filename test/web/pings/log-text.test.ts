/** Finding pings in the log of a check by a text in their outputs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld({ store: { pingLogLimit: 5_000 } })
const { store, alice, charlie, clock } = world
const output = (text: string) => ({ body: new TextEncoder().encode(text) })
const log = async (uuid: string, query: Record<string, string>, person = alice) =>
  await person.get(`/checks/${uuid}/log/?${new URLSearchParams(query)}`)
const numbers = (text: string) =>
  [...text.matchAll(/class="event-n">#(\d+)</g)].map(match => Number(match[1]))

test('pings are found by a text in their outputs, whose line is shown with the text marked', async () => {
  const uuid = await world.addCheck('Backup')
  await pingCheck(world, uuid, 'success', output('copied 12 files'))
  await pingCheck(world, uuid, 'fail', output('copying\nError: Disk <b>full</b>\nend'))
  await pingCheck(world, uuid, 'start')
  await pingCheck(world, uuid, 'log', output('the disk <b>full</b> of notes'))
  const { text } = await log(uuid, { text: 'disk <b>FULL' })
  assert.deepEqual(numbers(text), [4, 2])
  assert.match(text, /Error: <mark>Disk &lt;b&gt;full<\/mark>&lt;\/b&gt;/)
  assert.match(text, new RegExp(`href="/checks/${uuid}/pings/2/#L2"`))
  assert.match(text, /2 outputs have “disk &lt;b&gt;FULL”\..*Looked at 4 pings.*the oldest that is kept/s)
  assert.match(text, /name="text" value="disk &lt;b&gt;FULL"/)
  assert.doesNotMatch(text, /<b>full/i)
  assert.deepEqual(numbers((await log(uuid, { text: 'disk', show: 'fail' })).text), [2])
  assert.deepEqual(numbers((await log(uuid, { text: 'disk', show: 'flip' })).text), [4, 2])
  const none = (await log(uuid, { text: 'no such thing' })).text
  assert.match(none, /No output has “no such thing”/)
  assert.match((await log(uuid, { text: '  ' })).text, /data-live/)
})

test('a search looks at the newest thousand pings, says so, and leads further back', async () => {
  const uuid = await world.addCheck('Chatty')
  for (let from = 0; from < 1_200; from += 400) {
    const pings = Array.from({ length: 400 }, (_, index) => {
      const n = from + index + 1
      return arrivedPing({ uuid }, clock.now(), output(n === 150 || n === 900 ? 'needle' : `run ${n}`))
    })
    await store.pings.record(pings)
    clock.advance(60)
  }
  const first = (await log(uuid, { text: 'Needle' })).text
  assert.deepEqual(numbers(first), [900])
  assert.match(first, /1 output has “Needle”\..*Looked at the newest 1000 pings/s)
  const [, further] = /href="([^"]*)">Look further back/.exec(first)!
  const second = (await alice.get(further!.replaceAll('&amp;', '&'))).text
  assert.deepEqual(numbers(second), [150])
  assert.match(second, /Looked at 200 pings/)
  assert.doesNotMatch(second, /Look further back/)
  assert.match(second, />Newest</)
})

test('a page ends with the fiftieth output that has the text, and the next one goes on there', async () => {
  const uuid = await world.addCheck('Often')
  await store.pings.record(
    Array.from({ length: 70 }, () => arrivedPing({ uuid }, clock.now(), output('again'))),
  )
  const first = (await log(uuid, { text: 'again' })).text
  const [, further] = /href="([^"]*)">Look further back/.exec(first)!
  const second = (await alice.get(further!.replaceAll('&amp;', '&'))).text
  assert.deepEqual(
    [...numbers(first), ...numbers(second)],
    Array.from({ length: 70 }, (_, index) => 70 - index),
  )
})

test('the text is looked for up to the day that was asked for, in the zone of its times', async () => {
  const uuid = await world.addCheck('Days')
  const days: string[] = []
  for (let n = 0; n < 3; n++) {
    clock.advance(86_400)
    await pingCheck(world, uuid, 'log', output('same'))
    days.push(new Date(clock.now()).toISOString().slice(0, 10))
  }
  const { text } = await log(uuid, { text: 'same', day: days[1]! })
  assert.deepEqual(numbers(text), [2, 1])
  assert.match(text, new RegExp(`name="day" value="${days[1]}"`))
})

test('an outsider finds no outputs of the check', async () => {
  const uuid = await world.addCheck('Hers')
  await pingCheck(world, uuid, 'log', output('a secret'))
  assert.deepEqual(numbers((await log(uuid, { text: 'secret' })).text), [1])
  const { status, text } = await log(uuid, { text: 'secret' }, charlie)
  assert.equal(status, 404)
  assert.doesNotMatch(text, /a secret/)
})
