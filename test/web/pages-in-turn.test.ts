/** Many pages that are asked for at once leave turns to others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { Visitor } from '../_support/browser/visitor.js'
import { openWebWorld } from '../_support/worlds/web-world.js'
import { wrapStore } from '../_support/wrap-store.js'

const world = await openWebWorld()
const { alice, bob, mike, project } = world
const state = { running: 0, most: 0, order: [] as string[], ms: 10 }
const root = await world.serveOn(
  wrapStore(world.store, (name, method) => {
    if (name !== 'checks.list') return method
    return async function (this: unknown, ...args) {
      state.most = Math.max(state.most, ++state.running)
      await sleep(state.ms)
      state.running--
      return await method.apply(this, args)
    }
  }),
)

function pagesOf(person: typeof alice, count: number) {
  const browser = new Visitor(root)
  browser.cookies.set(SESSION_COOKIE, person.cookies.get(SESSION_COOKIE)!)
  return Array.from({ length: count }, async () => {
    const { status } = await browser.get(`/projects/${project.uuid}/checks/`)
    assert.equal(status, 200)
    state.order.push(person.email)
  })
}

test('of one person two pages are made at once, and four of several', async () => {
  await Promise.all(pagesOf(alice, 8))
  assert.equal(state.most, 2)
  await Promise.all([alice, bob, mike].flatMap(person => pagesOf(person, 4)))
  assert.equal(state.most, 4)
})

test('a person waits for few of the pages of another', async () => {
  state.order = []
  const many = pagesOf(alice, 20)
  const [one] = pagesOf(bob, 1)
  await one
  assert.ok(state.order.length <= 6, `${state.order}`)
  await Promise.all(many)
})

test('a page that waits for something holds up no other', async () => {
  state.most = 0
  state.ms = 1_000
  await Promise.all(pagesOf(alice, 6))
  assert.ok(state.most > 2, `${state.most}`)
})
