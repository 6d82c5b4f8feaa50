import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld({ app: { DEBUG: true } })
const list = await world.stranger().get('/dev/mails/')
const addresses = [...list.text.matchAll(/href="(\/dev\/mails\/[a-z-]+\/)"/g)].map(([, address]) => address!)

test('developers find every e-mail, each as HTML and as text, with nothing from the database', async () => {
  await world.addCheck('Real secret')
  assert.ok(addresses.length >= 15)
  for (const address of addresses) {
    const html = await world.stranger().get(address)
    assert.equal(html.status, 200)
    assert.match(html.text, /^<!doctype html>[\s\S]*prefers-color-scheme: dark[\s\S]*<\/html>\s*$/)
    const text = await world.stranger().get(`${address}?text`)
    assert.match(text.headers.get('content-type')!, /^text\/plain/)
    assert.match(text.text, /\n--\nPunctual: http/)
    for (const page of [html.text, text.text]) {
      assert.doesNotMatch(page, /Real secret|undefined|NaN|\[object/)
    }
  }
})

test('all that come again and again can be stopped, and what somebody asked for cannot', async () => {
  for (const address of addresses) {
    const { text } = await world.stranger().get(`${address}?text`)
    const recurring = /\/(down|up|test|notice|report|reminder)/.test(address)
    assert.equal(text.includes('Unsubscribe: '), recurring, address)
  }
})

test('without DEBUG there is no such page', async () => {
  const plain = await openWebWorld()
  for (const address of ['/dev/mails/', addresses[0]!]) {
    assert.equal((await plain.alice.get(address)).status, 404)
  }
})
