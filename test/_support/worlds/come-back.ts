import assert from 'node:assert/strict'
import { Visitor } from '../browser/visitor.js'
import { type Env, punctual, type Serving } from '../cli.js'

/** A user without the password signs in with a link of the command line, and sets a new one. */
export async function comeBack(server: Serving, env: Env, email: string): Promise<void> {
  const { code, stdout } = await punctual(env, ['user', 'sign-in-link', email.toUpperCase()])
  assert.equal(code, 0)
  assert.ok(stdout.startsWith(`This link signs ${email} in, once, within an hour`))
  const link = /\/accounts\/link\/[\w-]{43}\//.exec(stdout)![0]

  const browser = new Visitor(server.url)
  assert.match((await browser.get(link)).text, /This link is valid/)
  assert.equal((await browser.post(link)).location, '/accounts/password/')
  assert.match((await browser.get('/accounts/password/')).text, /Choose a password/)
  const password = 'battery staple'
  assert.equal((await browser.post('/accounts/password/', { password })).location, '/accounts/profile/')
  assert.equal((await new Visitor(server.url).get(link)).status, 410, 'it works once')
  await new Visitor(server.url).signIn(email, password)
}
