import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PEOPLE_MAIL_LIMITS, PeopleMailSlots } from '../../../../src/jobs/dispatch/slots/people-mail-slots.js'

/** Slots on a clock of the test's own. Each e-mail has an owner of its own unless one is given. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  let owners = 0
  const cut: string[] = []
  const slots = new PeopleMailSlots(
    () => now,
    () => {},
  )
  const mailTo = (domain: string, owner = ++owners) => ({ id: 1, dueAt: 1, owner, domain })
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  const begin = (domain: string, owner?: number) =>
    slots.begin(mailTo(domain, owner), () => void cut.push(domain))
  return {
    cut,
    pass,
    begin,
    /** Begins as many as may begin, and returns their number. */
    fill(domain: string, owner?: number): number {
      const mayBegin = slots.budget()
      let count = 0
      while (count < 99 && mayBegin(mailTo(domain, owner))) count++
      for (let begun = 0; begun < count; begun++) begin(domain, owner)
      return count
    },
    /** Sends one e-mail, which takes so long. */
    send(domain: string, tookMs: number, sent = true) {
      const slot = begin(domain)
      slot.handedOver()
      pass(tookMs)
      slot.end(sent)
    },
  }
}

for (const [name, tookMs, sent, most] of [
  ['that took long gets half of the slots of those that hang', 5_000, true, 4],
  ['that did not answer gets as many', 30_000, false, 4],
  ['that answered late gets as many as may be late', 1_500, true, 2],
  ['that answered promptly gets four', 20, true, 4],
  ['that refused the first gets one', 20, false, 1],
] as const) {
  test(`a domain ${name}`, t => {
    const { send, fill } = open(t)
    send('a.example', tookMs, sent)
    assert.equal(fill('a.example'), most)
    assert.equal(fill('a.example'), 0)
  })
}

test('a new domain gets one e-mail until that has ended, however long it takes', t => {
  const { fill, pass } = open(t)
  assert.equal(fill('new.example'), 1)
  pass(100_000)
  assert.equal(fill('new.example'), 0)
})

test('an owner has three e-mails under way at most', t => {
  const { send, fill } = open(t)
  send('a.example', 20)
  assert.equal(fill('a.example', 77), 3)
})

test('e-mails that hang at any number of domains leave slots to those that answer', t => {
  const { send, fill, pass } = open(t)
  send('prompt.example', 20)
  for (let domain = 0; domain < 99; domain++) {
    if (fill(`slow${domain}.example`) === 0) break
    pass(1_000)
  }
  assert.equal(fill('another.example'), 0, 'new domains wait')
  assert.equal(fill('prompt.example'), PEOPLE_MAIL_LIMITS.prompt)
})

test('when too many hang, the one that has taken longest is cut off unless the server has it', t => {
  const { begin, pass, cut } = open(t)
  begin('first.example').handedOver()
  for (let domain = 2; domain <= PEOPLE_MAIL_LIMITS.hanging; domain++) begin(`${domain}.example`)
  pass(5_000)
  begin('last.example')
  pass(4_999)
  assert.deepEqual(cut, [])
  pass(1)
  assert.deepEqual(cut, ['2.example'])
})
