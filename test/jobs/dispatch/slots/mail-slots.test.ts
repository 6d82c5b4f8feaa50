import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MAIL_LIMITS, MailSlots } from '../../../../src/jobs/dispatch/slots/mail-slots.js'
import type { Standing } from '../../../../src/jobs/dispatch/slots/send-slots.js'

/** Slots on a clock of the test's own. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const cut: string[] = []
  const slots = new MailSlots(
    () => now,
    () => {},
  )
  return {
    cut,
    pass(ms: number) {
      now += ms
      t.mock.timers.tick(ms)
    },
    /** Begins an e-mail, which is handed over at once if that is said. Returns what ends it. */
    begin(projectId: number, standing: Standing, isHandedOver = false) {
      const mail = slots.begin({ projectId, standing }, tookMs => cut.push(`${projectId} after ${tookMs}`))
      if (isHandedOver) slots.handedOver(mail)
      return () => slots.end(mail)
    },
    room: (projectId: number, standing: Standing, sending = 0) =>
      slots.budget()({ projectId, standing, sending }, 32),
  }
}

test('a project has five e-mails under way at most', t => {
  const { begin, room } = open(t)
  const ends = [1, 2, 3, 4, 5].map(() => begin(1, 'prompt'))
  assert.equal(room(1, 'prompt'), 0)
  assert.equal(room(1, 'unknown'), 0)
  assert.equal(room(2, 'prompt'), 5)
  ends[0]!()
  assert.equal(room(1, 'prompt'), 1)
})

test('e-mails to new addresses leave connections for those to known ones', t => {
  const { begin, room } = open(t)
  for (let project = 1; project <= MAIL_LIMITS.unknown; project++) begin(project, 'unknown')
  assert.equal(room(100, 'unknown'), 0)
  assert.equal(room(100, 'prompt'), 5)
  assert.equal(room(100, 'late'), 5)
})

test('a new address gets one e-mail at a time until the first is sent', t => {
  const { room } = open(t)
  assert.equal(room(1, 'unknown'), 1)
  assert.equal(room(1, 'unknown', 1), 0)
  assert.equal(room(1, 'prompt', 1), 5)
})

test('many new addresses of one project leave slots for those of others', t => {
  const { begin, room } = open(t)
  for (let sent = 0; sent < MAIL_LIMITS.unknownOfProject; sent++) begin(1, 'unknown')
  assert.equal(room(1, 'unknown'), 0)
  assert.equal(room(2, 'unknown'), 1)
})

test('once a new address hung, the project’s next ones take no slots of others’ until one is sent', t => {
  const { begin, room, pass } = open(t)
  const first = Array.from({ length: MAIL_LIMITS.unknown }, (_, project) => begin(project, 'unknown'))
  pass(MAIL_LIMITS.leavesAfterMs.unknown)
  const next = Array.from({ length: MAIL_LIMITS.unknown }, (_, project) => begin(project, 'unknown'))
  assert.equal(room(100, 'unknown'), 1, 'those of suspects hang from the start')
  for (const end of [...first, ...next]) end()
  for (let project = 0; project < MAIL_LIMITS.unknown; project++) begin(project, 'unknown')
  assert.equal(room(100, 'unknown'), 0, 'a prompt end clears the suspicion')
})

test('one look does not promise the same slots twice', t => {
  const slots = new MailSlots(
    () => 0,
    () => {},
  )
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const budget = slots.budget()
  const granted = [1, 2, 3].map(projectId => budget({ projectId, standing: 'prompt', sending: 0 }, 32))
  assert.deepEqual(granted, [5, 5, 2])
})

test('e-mails that take long give their slots to others while there is room for those that hang', t => {
  const { begin, room, pass, cut } = open(t)
  for (let project = 1; project <= MAIL_LIMITS.prompt; project++) begin(project, 'prompt')
  assert.equal(room(100, 'prompt'), 0)
  pass(MAIL_LIMITS.leavesAfterMs.prompt)
  assert.equal(room(100, 'prompt'), 5)
  for (let project = 21; project <= 20 + MAIL_LIMITS.prompt; project++) begin(project, 'prompt')
  pass(MAIL_LIMITS.leavesAfterMs.prompt)
  for (let project = 41; project <= 40 + MAIL_LIMITS.prompt; project++) begin(project, 'prompt')
  pass(MAIL_LIMITS.leavesAfterMs.prompt)
  assert.equal(room(100, 'prompt'), 0, 'no more may hang, so the last ones stay')
  assert.deepEqual(cut, [])
})

test('an e-mail that hangs leaves its slot in any case, and the longest is cut off', t => {
  const { begin, pass, cut } = open(t)
  for (let project = 1; project <= MAIL_LIMITS.hanging; project++) begin(project, 'timedOut')
  begin(100, 'prompt')
  pass(MAIL_LIMITS.hangsAfterMs - 1)
  assert.deepEqual(cut, [])
  pass(1)
  assert.deepEqual(cut, ['1 after 5000'])
})

test('an e-mail that the server has is not cut off, but the next one that it has not', t => {
  const { begin, pass, cut } = open(t)
  for (let project = 1; project < MAIL_LIMITS.hanging; project++) begin(project, 'timedOut', true)
  begin(MAIL_LIMITS.hanging, 'timedOut')
  begin(100, 'prompt', true)
  pass(MAIL_LIMITS.hangsAfterMs)
  assert.deepEqual(cut, [`${MAIL_LIMITS.hanging} after 5000`])
})

test('while the server has all e-mails that hang, none is cut off for a minute', t => {
  const { begin, room, pass, cut } = open(t)
  const ends = Array.from({ length: MAIL_LIMITS.hanging }, (_, index) => begin(index + 1, 'timedOut', true))
  for (let project = 101; project <= 100 + MAIL_LIMITS.prompt; project++) begin(project, 'prompt', true)
  for (let passed = 0; passed < 50_000; passed += MAIL_LIMITS.hangsAfterMs) pass(MAIL_LIMITS.hangsAfterMs)
  assert.deepEqual(cut, [])
  assert.equal(room(200, 'prompt'), 0)
  ends[0]!()
  assert.equal(room(200, 'prompt'), 1)
  pass(MAIL_LIMITS.hangsAfterMs)
  pass(MAIL_LIMITS.hangsAfterMs)
  assert.equal(cut[0], '2 after 60000')
  assert.equal(room(200, 'prompt'), 5)
})

test('an e-mail that takes long leaves its slot when one that hangs ends', t => {
  const { begin, room, pass } = open(t)
  const hanging = Array.from({ length: MAIL_LIMITS.hanging }, (_, index) => begin(index + 1, 'timedOut'))
  for (let project = 101; project <= 100 + MAIL_LIMITS.prompt; project++) begin(project, 'prompt')
  pass(MAIL_LIMITS.leavesAfterMs.prompt)
  assert.equal(room(200, 'prompt'), 0)
  hanging[0]!()
  assert.equal(room(200, 'prompt'), 1)
})

test('projects whose e-mails take long share half of the slots of known addresses', t => {
  const { begin, room, pass } = open(t)
  const ends = Array.from({ length: 4 }, (_, project) => begin(project, 'prompt'))
  pass(MAIL_LIMITS.leavesAfterMs.prompt)
  for (let project = 0; project < 3; project++) begin(project, 'prompt')
  assert.equal(room(0, 'prompt'), 3, 'of six')
  for (let project = 0; project < 3; project++) begin(project, 'prompt')
  assert.equal(room(3, 'prompt'), 0)
  assert.equal(room(100, 'prompt'), 5)
  begin(3, 'late')()
  assert.equal(room(3, 'prompt'), 4, 'it was sent as fast as usual: no suspect any more')
  for (const end of ends) end()
})

test('an e-mail that has ended is not cut off', t => {
  const { begin, pass, cut } = open(t)
  const ends = Array.from({ length: MAIL_LIMITS.hanging + 1 }, (_, project) => begin(project, 'timedOut'))
  for (const end of ends) end()
  const end = begin(1, 'prompt')
  end()
  pass(60_000)
  assert.deepEqual(cut, [])
})
