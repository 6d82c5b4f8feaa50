import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivalOf, type SetupPing } from '../../../src/core/checks/setup/arrival.js'
import { setupSteps, showsSetup } from '../../../src/core/checks/setup/steps.js'
import { agentWords } from '../../../src/core/pings/agent-words.js'

const HOUR = 3_600_000
const pager = { disabled: false, arrived: true }

test('a check shows its steps until it was pinged, somebody is alerted and a message arrived', () => {
  const shown = (hours: number, nPings: number, receivers: (typeof pager)[]) =>
    showsSetup({ nPings, createdAt: 0, receivers }, hours * HOUR)
  assert.equal(shown(10_000, 0, [pager]), true, 'never pinged')
  assert.equal(shown(2, 1, []), true, 'nobody is alerted')
  assert.equal(shown(2, 1, [{ ...pager, arrived: false }]), true, 'nothing was sent yet')
  assert.equal(shown(2, 1, [pager]), false)
  assert.equal(shown(0.5, 1, [pager]), true, 'the first ping can still be seen to have arrived')
  assert.equal(shown(200, 1, []), false, 'not for ever')
})

test('a disabled integration is nobody who is alerted', () => {
  assert.deepEqual(setupSteps({ nPings: 1, receivers: [{ ...pager, disabled: true }] }), {
    ping: true,
    receivers: false,
    test: false,
  })
})

const curl: SetupPing = {
  n: 1,
  at: 0,
  action: 'success',
  scheme: 'https',
  remoteAddr: '10.0.3.17',
  method: 'GET',
  ua: 'curl/8.5.0',
  exitStatus: null,
}
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'

for (const [name, pings, lastStart, expected] of [
  ['a plain success', [curl], null, []],
  ['a request of a browser', [{ ...curl, ua: FIREFOX }], null, ['browser']],
  [
    'a browser, then the job',
    [
      { ...curl, ua: FIREFOX },
      { ...curl, n: 2 },
    ],
    null,
    [],
  ],
  ['an exit status', [{ ...curl, action: 'fail', exitStatus: 2 }], null, ['failed']],
  [
    'a failure, then a success',
    [
      { ...curl, action: 'fail' },
      { ...curl, n: 2 },
    ],
    null,
    [],
  ],
  ['a start alone', [{ ...curl, action: 'start' }], 0, ['unfinished']],
  ['a log entry alone', [{ ...curl, action: 'log' }], null, ['only-log']],
  ['a request that does not count', [{ ...curl, action: 'ign' }], null, ['ignored']],
  ['two machines', [curl, { ...curl, n: 2, remoteAddr: '10.0.3.18' }], null, ['addresses']],
] as [string, SetupPing[], number | null, string[]][]) {
  test(`${name}: ${expected.join() || 'nothing'} is noticeable about it`, () => {
    const arrival = arrivalOf(pings.toReversed(), { lastStart })!
    assert.equal(arrival.first.n, 1)
    assert.deepEqual(
      arrival.hints.map(({ hint }) => hint),
      expected,
    )
  })
}

for (const [agent, words] of [
  ['curl/8.5.0', 'curl 8.5'],
  ['Wget/1.21.4', 'Wget 1.21'],
  ['python-requests/2.31.0', 'Python requests 2.31'],
  ['node', 'Node.js'],
  [FIREFOX, 'Firefox 133'],
  ['Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041', 'PowerShell 5.1'],
  ['Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36', 'Chrome 131'],
  ['x'.repeat(60), `${'x'.repeat(39)}…`],
  ['', ''],
]) {
  test(`a program that names itself ${agent!.slice(0, 40)} is ${words}`, () => {
    assert.equal(agentWords(agent!), words)
  })
}
