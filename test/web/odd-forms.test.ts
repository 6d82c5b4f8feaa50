/** Requests that no browser sends get an answer that says so, never a 500. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { routes } from '../../src/http/web/routes.js'
import type { Visitor } from '../_support/browser/visitor.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { project } = world
const { port } = new URL(world.root)

/** The status of an answer to exactly these bytes. */
function raw(text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.once('data', data => {
      resolve(Number(data.toString().split(' ')[1]))
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

const paths = routes
  .filter(route => route.method === 'POST' && !route.signed)
  .map(route => route.path.replace(':uuid', project.uuid).replace(/:\w+\??/g, 'x'))

test('a POST without a body or a length is refused by every form', async () => {
  for (const path of paths) {
    const status = await raw(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    assert.ok(status === 403 || status === 302, `${path} answered ${status}`)
  }
})

for (const type of [
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'multipart/form-data; boundary=',
]) {
  test(`a broken body of type ${type} is refused`, async () => {
    for (const path of ['/accounts/login/', '/accounts/signup/', '/accounts/logout/']) {
      const answer = await fetch(world.root + path, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: 'hi',
      })
      assert.equal(answer.status, 400, path)
    }
  })
}

test('control characters in addresses are refused, and no form stores them', async () => {
  const visitor = world.stranger()
  const odd = [
    'a@b.example\0',
    'a\u0007@b.example',
    '\u202ea@b.example',
    'a@b\u200b.example',
    'a\ud800@b.example',
  ]
  for (const email of odd) {
    const password = 'correct horse'
    for (const [path, status] of [
      ['/accounts/signup/', 400],
      ['/accounts/login/', email.includes('\0') ? 400 : 401],
    ] as const) {
      const answer = await visitor.post(path, { email, password })
      assert.equal(answer.status, status, `${path} ${JSON.stringify(email)}`)
    }
    assert.equal((await world.alice.post('/accounts/email/', { email })).status, 400)
  }
  assert.equal((await world.alice.post('/projects/add/', { name: 'a\0b' })).status, 400)
})

test('a form that is too large is refused', async () => {
  const answer = await fetch(`${world.root}/accounts/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `email=${'x'.repeat(300_000)}`,
  })
  assert.equal(answer.status, 400)
})

test('16 kB of a form are taken from strangers, 256 from those who are signed in', async () => {
  const send = async (person: Visitor, path: string, length: number) =>
    (await person.post(path, { name: 'Jobs', filler: 'x'.repeat(length) })).status
  const announce = (person: Visitor, path: string, length: number) => {
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const head = `Host: localhost\r\nCookie: ${cookie}\r\nContent-Length: ${length}\r\n\r\n`
    return raw(`POST ${path} HTTP/1.1\r\n${head}`)
  }
  const stranger = world.stranger()
  const name = `/projects/${project.uuid}/name/`
  assert.equal(await send(stranger, '/accounts/logout/', 16_000), 303)
  assert.equal(await announce(stranger, '/accounts/logout/', 16_385), 400)
  assert.equal(await send(world.alice, name, 262_000), 303)
  assert.equal(await announce(world.alice, name, 262_145), 400)
  const head = 'Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunk = `${(16_385).toString(16)}\r\n${'x'.repeat(16_385)}\r\n`
  assert.equal(await raw(`POST /accounts/logout/ HTTP/1.1\r\n${head}${chunk}0\r\n\r\n`), 400)
})

test('a large body that is refused is answered, not cut off', async () => {
  const body = 'x'.repeat(250_000)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const [path, status] of [
    ['/integrations/hook/telegram/', 404],
    ['/accounts/login/', 400],
  ] as const) {
    assert.equal((await fetch(world.root + path, { method: 'POST', headers, body })).status, status, path)
  }
})
