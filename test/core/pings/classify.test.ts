import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyHttp, classifyMail } from '../../../src/core/pings/classify.js'
import { matches } from '../../../src/core/pings/keywords.js'

const plain = {
  methods: '' as '' | 'POST',
  manualResume: false,
  filterHttpBody: false,
  filterDefaultFail: false,
  successExitCodes: '0',
  startKw: '',
  successKw: '',
  failureKw: '',
}
type Rules = typeof plain
type Signal = Parameters<typeof classifyHttp>[2]

const success: Signal = { action: 'success', exitStatus: null, method: 'GET' }

// name, rules, signal, body, action
const rows: [string, Partial<Rules>, Partial<Signal>, string, string][] = [
  ['the URL decides', {}, { action: 'start' }, '', 'start'],
  ['exit status 0 is a success', {}, { exitStatus: 0 }, '', 'success'],
  ['any other exit status is a failure', {}, { exitStatus: 255 }, '', 'fail'],
  ['a GET to a check that takes only POST is ignored', { methods: 'POST' }, {}, '', 'ign'],
  ['a POST to it counts', { methods: 'POST' }, { method: 'POST' }, '', 'success'],
  ['keywords replace the URL’s action', { filterHttpBody: true, failureKw: 'boom' }, {}, 'a boom', 'fail'],
  [
    'failure is looked for before success',
    { filterHttpBody: true, failureKw: 'b', successKw: 'a' },
    {},
    'a b',
    'fail',
  ],
  [
    'success is looked for before start',
    { filterHttpBody: true, startKw: 'b', successKw: 'a' },
    {},
    'a b',
    'success',
  ],
  ['start comes last', { filterHttpBody: true, startKw: 'go' }, {}, 'go', 'start'],
  [
    'no keyword found means ignored, even on /fail',
    { filterHttpBody: true, successKw: 'x' },
    { action: 'fail' },
    'y',
    'ign',
  ],
  [
    'or failure, where that is the default',
    { filterHttpBody: true, filterDefaultFail: true },
    {},
    'y',
    'fail',
  ],
  [
    'a /log ping may become a failure',
    { filterHttpBody: true, failureKw: 'x' },
    { action: 'log' },
    'x',
    'fail',
  ],
  [
    'a success keyword wins over an exit status',
    { filterHttpBody: true, successKw: 'x' },
    { exitStatus: 5 },
    'x',
    'success',
  ],
  [
    'a wrong verb is ignored before the body is read',
    { methods: 'POST', filterHttpBody: true, successKw: 'x' },
    {},
    'x',
    'ign',
  ],
]
for (const [name, rules, signal, body, action] of rows) {
  test(`classification: ${name}`, () => {
    assert.equal(
      classifyHttp({ ...plain, ...rules }, { ...plain, ...rules }, { ...success, ...signal }, () => body),
      action,
    )
  })
}

test('keywords are trimmed, case-sensitive substrings, and an empty field never matches', () => {
  assert.ok(matches(' done , ok', 'all done'))
  assert.ok(!matches('Done', 'all done'))
  assert.ok(!matches('', 'anything'))
  assert.ok(!matches(' , ,', 'a , b'))
  assert.ok(matches('héé', 'ein héé'))
})

const mailRules = {
  startKw: '',
  successKw: '',
  failureKw: '',
  filterSubject: false,
  filterBody: false,
  subjectRules: false,
}

// name, rules, subject, body, action
const mails: [string, Partial<typeof mailRules>, string, string, string][] = [
  ['without rules it is a success', { failureKw: 'bad' }, 'bad', 'bad', 'success'],
  ['the subject', { filterSubject: true, failureKw: 'bad' }, 'bad', '', 'fail'],
  ['only the subject', { filterSubject: true, failureKw: 'bad' }, '', 'bad', 'ign'],
  ['only the body', { filterBody: true, failureKw: 'bad' }, 'bad', '', 'ign'],
  [
    'a keyword across the two is none',
    { filterSubject: true, filterBody: true, failureKw: 'ab' },
    'a',
    'b',
    'ign',
  ],
  [
    'an empty subject of old',
    { filterSubject: true, subjectRules: true, failureKw: 'bad' },
    'x',
    '',
    'success',
  ],
  ['subject_fail', { filterSubject: true, subjectRules: true, failureKw: 'bad' }, 'bad', '', 'fail'],
  ['a start beside it', { filterSubject: true, subjectRules: true, startKw: 'go' }, 'go', '', 'start'],
  ['a subject of old', { filterSubject: true, subjectRules: true, successKw: 'ok' }, 'x', '', 'ign'],
]

for (const [name, rules, subject, body, action] of mails) {
  test(`an e-mail, ${name}: ${action}`, () => {
    assert.equal(classifyMail({ ...mailRules, ...rules }, false, { subject, body }), action)
  })
}

test('an unmatched e-mail is a failure if the check says so, unless all are successes', () => {
  const rules = { ...mailRules, filterSubject: true }
  const mail = { subject: 'x', body: '' }
  assert.equal(classifyMail(rules, true, mail), 'fail')
  assert.equal(classifyMail({ ...rules, subjectRules: true }, true, mail), 'success')
})
