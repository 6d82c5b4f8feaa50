/** Strangers who type an address do not learn whether it has an account, neither from the answer nor from its time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWebWorld } from '../../_support/worlds/web-world.js'

// A mail server that does not answer while a test runs: whoever waits for it is not answered either.
const sending = new Set<() => void>()
const world = await openWebWorld({
  mailer: { send: () => new Promise(resolve => sending.add(resolve)) },
})
const { alice, mike, store, clock, project } = world

const FORMS: Record<string, () => Promise<string>> = {
  'to sign in by a link': async () => '/accounts/login/link/',
  'to sign up': async () => '/accounts/signup/',
  'to accept an invitation': async () => {
    const base = `/projects/${project.uuid}`
    await mike.post(`${base}/invitations/add/`, { role: 'member', email: '' })
    return /\/accounts\/invitations\/[\w-]+\//.exec((await mike.get(`${base}/settings/`)).text)![0]
  },
}

for (const [what, pathOf] of Object.entries(FORMS)) {
  test(`the form ${what} answers alike, and waits for no mail server, whether there is an account`, async t => {
    t.after(() => {
      for (const end of sending) end()
    })
    const path = await pathOf()
    const { id, email } = await world.person(`disabled ${what}`.replaceAll(' ', '-'))
    await store.people.setDisabled(id, clock.now())
    const answers: unknown[] = []
    for (const address of ['nobody@example.org', alice.email, email]) {
      const answer = await Promise.race([world.stranger().post(path, { email: address }), sleep(3_000, null)])
      assert.ok(answer, `no answer about ${address}`)
      assert.equal(answer.status, 200, answer.text)
      answers.push(answer.text.replaceAll(address, 'ADDRESS').replace(/name="csrf" value="[^"]*"/g, ''))
    }
    assert.equal(new Set(answers).size, 1)
  })
}
