/** The tests of every kind that uses HTTP, with a recorder. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert, Notice } from '../../../src/core/alerts/alert.js'
import { digestWords } from '../../../src/core/alerts/digest.js'
import type { ChannelSettings } from '../../../src/integrations/field.js'
import { DeliveryError, type Integration } from '../../../src/integrations/integration.js'
import { aNotice, anAlert, aPing, NOW, type TestWaysOptions, UUID } from '../alert.js'
import { readable, secretsOf } from '../recorded-text.js'
import { type Answer, openRecorder, type RecordedRequest } from '../servers/recorder.js'
import { failureOf, holdsNoSecret, holdsTexts, openTrial, sending } from './integration-trial.js'

export interface IntegrationCases {
  integration: Integration
  /** A channel's settings, its secrets of 6 characters or more; `url` is the recorder's: `http://127.0.0.1:PORT`. */
  settings(url: string): ChannelSettings
  /** The operator's settings that the kind declares; none when absent. */
  operator?(url: string): Readonly<Record<string, string>>
  /** The service's own origins, such as `https://api.telegram.org`: connections to them reach the recorder. */
  origins?: readonly string[]
  /** The operator's switch that is on unless it is off, and the error while it is off. */
  enabled?: { setting: string; error: string }
  /** The service's response to an accepted message; 200 with `OK` by default. */
  accepts?(request: RecordedRequest): Answer
  /** Compares the requests of a down alert with the service's documentation. */
  down(requests: RecordedRequest[], alert: Alert): void
  /** The same for a recovery; `never` for a kind that does not report recoveries. */
  up: ((requests: RecordedRequest[], alert: Alert) => void) | 'never'
  /** Whether it says when a missed ping was expected; false for a kind without room for it. */
  timesTold?: false
  /** The texts of a down alert or a recovery for which this kind has no room. */
  leavesOut?: readonly string[]
  /** A text in a test alert: `This is a test` by default, null for a kind whose users write the text. */
  testText?: string | null
  /** Whether the kind gives the check's UUID to programs, or lets its users do so. */
  namesUuid?: boolean
  /** Checks the requests of the hostile alert: nothing in it may become markup, a mention, or part of the URL. */
  hostile(requests: RecordedRequest[], alert: Alert): void
  /** Responses after which the channel is permanently unusable, with the error for users. */
  permanent: readonly (Answer & { error: string })[]
  /** The response that asks to wait 7 s; 429 with `Retry-After: 7` by default. */
  busy?: Answer
  /** Checks the requests of a notice for many alerts with hostile lines, for kinds that group. */
  digest?(requests: RecordedRequest[], notice: Notice): void
  /** Checks the requests of a notice; null for a kind without notices. */
  notice: ((requests: RecordedRequest[], notice: Notice) => void) | null
}

const MINUTE = 60_000

/** A run that failed after twelve minutes, with output, while another check is down too. */
export const FALL = anAlert({
  flip: { reason: 'failed' },
  check: { desc: 'Nightly dump of Alpha' },
  lastPing: aPing({
    action: 'fail',
    exitStatus: 2,
    at: NOW - 10 * MINUTE,
    durationMs: 725_000,
    body: Buffer.from('line 1\nfatal: disk full'),
  }),
  otherChecks: 3,
  othersDown: [{ label: 'Mail queue', lastPing: NOW - 12 * MINUTE }],
})

/** The same check an hour and a half later. */
export const RECOVERY = anAlert({
  status: 'up',
  check: { desc: 'Nightly dump of Alpha' },
  lastPing: aPing({ at: NOW - MINUTE, durationMs: 42_000 }),
  otherChecks: 3,
})

/** Since when, as facts have it. */
export const SINCE = 'Thu 5 Mar 2026 11:50:00 UTC'

/** Which, what, why, since when, what was last heard, how long it ran, its output, the others, where to look. */
const FALL_SAYS = [
  'Backup',
  'DOWN',
  'exit status 2',
  'Exit status 2',
  '12 min 5 s',
  'fatal: disk full',
  '11:50',
  'Mail queue',
  FALL.checkUrl,
]

/** A ping that did not come: by when, when it was expected, how long it may be late, and by whose clock. */
export const MISSED = anAlert({
  check: { graceSeconds: 3600 },
  detail: { expectedAt: NOW - 70 * MINUTE, graceSeconds: 3600 },
})

const MISSED_SAYS = 'o success ping by 11:50 (expected 10:50, grace 1 h, UTC)'

const RECOVERY_SAYS = ['Backup', 'UP', '1 hour, 30 minutes', 'All the other checks are up', RECOVERY.checkUrl]

/** Markup of every kind, mentions, quotes, an injected header, control and direction characters, beyond the BMP. */
export const HOSTILE = [
  'Backup <b>&amp;</b> *b* _i_ ~s~ `c` ```f``` [t](https://evil.example) <https://evil.example|t>',
  '@everyone @channel @all @here @room @**all** <!channel> <@U1> <users/all> <at>x</at>',
  '|# "q" \'s\' \\ $NAME ../..?a=b#c%41\r\nX-Evil: 1\n# h\u0000\u001b[31m\u202e\u{1f525}',
].join(' ')

/** A notice about many checks at once; a name has at most 100 characters. */
const HOSTILE_DIGEST = aNotice({
  ...digestWords(
    Array.from({ length: 380 }, (_, flipId) => ({
      flipId,
      check: { name: HOSTILE.slice((flipId % 3) * 90).slice(0, 100), slug: '', uniqueKey: '' },
      status: 'down',
      statusNow: 'down',
      reason: 'failed',
      at: NOW - 3 * MINUTE,
      outage: null,
    })),
    'Alpha',
    NOW,
    { root: 'https://monitor.example' },
  ),
  status: 'down',
})

export const HOSTILE_FALL = anAlert({
  check: { name: HOSTILE, desc: HOSTILE, tags: `${HOSTILE.replaceAll(' ', '')} prod` },
  project: { name: HOSTILE, url: FALL.project.url },
  lastPing: aPing({ body: Buffer.from(`${HOSTILE}\n</pre></code>`) }),
  otherChecks: 3,
  othersDown: [{ label: HOSTILE, lastPing: null }],
})

const PRIVATE = 'Connections to private IP addresses are not allowed'

/** A digest without the links of its checks, in any markup: what is left must not be markup. */
export function withoutLinks(text: string): string {
  const url = 'https://monitor.example/cloaked//'
  return text
    .replaceAll(`](${url})`, '')
    .replaceAll(/^- \[/gm, '- ')
    .replaceAll(`<a href="${url}">`, '')
    .replaceAll('</a>', '')
    .replace(/<https:\/\/monitor\.example\/cloaked\/\/\|([^>]*)>/g, '$1')
}

/** Registers the tests that every kind with HTTP must pass. The functions of `cases` have the details of the kind. */
export function integrationCases(cases: IntegrationCases): void {
  const { integration } = cases
  const name = (sentence: string) => `${integration.kind}: ${sentence}`

  test(name('a fall is told as the service documents, with what people need at night'), async t => {
    const { requests } = await sending(t, cases, FALL)
    cases.down(requests, FALL)
    holdsTexts(cases, requests, FALL_SAYS)
  })

  if (cases.timesTold !== false) {
    test(
      name('a missed ping is told with the time at which it was expected, the grace time and the zone'),
      async t => {
        const { requests } = await sending(t, cases, MISSED)
        holdsTexts(cases, requests, [MISSED_SAYS])
      },
    )
  }

  if (cases.up === 'never') {
    test(name('says nothing of recoveries'), async t => {
      const { to } = await openTrial(t, cases)
      assert.equal(integration.wants?.(to.settings, 'up'), false)
    })
  } else {
    const holds = cases.up
    test(name('a recovery is told, and how long the check was down'), async t => {
      const { requests } = await sending(t, cases, RECOVERY)
      holds(requests, RECOVERY)
      holdsTexts(cases, requests, RECOVERY_SAYS)
    })
  }

  test(name('a test alert arrives, and says that it is one'), async t => {
    const { requests } = await sending(t, cases, anAlert({ test: true }))
    const { testText = 'This is a test' } = cases
    if (testText !== null) holdsTexts(cases, requests, [testText])
    assert.ok(requests.length > 0)
  })

  test(name('hostile names and output are shown, not obeyed'), async t => {
    const { requests } = await sending(t, cases, HOSTILE_FALL)
    assert.ok(requests.length > 0)
    for (const request of requests) {
      assert.equal(request.headers['x-evil'], undefined)
      if (request.headers['content-type']?.startsWith('application/json')) JSON.parse(request.body)
    }
    holdsTexts(cases, requests, ['Backup'])
    cases.hostile(requests, HOSTILE_FALL)
  })

  test(name('failures say what happened, whether to come again and when, and reveal no secret'), async t => {
    const hidden: string[] = []
    const attempt = async (answer: Answer | null, options: TestWaysOptions = {}) => {
      // A receiver may repeat in its response what it was sent.
      const echo = () => (answer ? { body: hidden.join('\n'), ...answer } : undefined)
      const opened = await openTrial(t, cases, echo, options)
      hidden.splice(0, hidden.length, ...secretsOf(integration, opened.to))
      const error = await failureOf(opened.send(FALL))
      holdsNoSecret(error, integration, opened.to)
      return { ...error.options, message: error.message, requests: opened.requests.length }
    }
    const passing = (found: Awaited<ReturnType<typeof attempt>>) => assert.ok(!found.permanent, found.message)

    for (const { error, ...answer } of cases.permanent) {
      const found = await attempt(answer)
      assert.equal(found.message, error)
      assert.equal(found.permanent, true, `${answer.status} is permanent`)
    }
    const busy = await attempt(cases.busy ?? { status: 429, headers: { 'retry-after': '7' } })
    passing(busy)
    assert.equal(busy.retryAfterMs, 7_000)
    for (const status of [500, 502, 503]) {
      const found = await attempt({ status })
      passing(found)
      assert.match(found.message, new RegExp(`^Received status code ${status}`))
    }
    const silent = await attempt(null, { totalMs: 80 })
    passing(silent)
    assert.equal(silent.message, 'Connection timed out')
    const led = await attempt(
      { status: 302, headers: { location: 'http://10.0.0.1/' } },
      { permits: address => address === '127.0.0.1' },
    )
    passing(led)
    assert.equal(led.message, PRIVATE)
    assert.equal(led.requests, 1)
  })

  test(name('the line that names the destination reveals no secret'), async t => {
    const { to } = await openTrial(t, cases)
    const line = integration.describe(to.settings)
    assert.notEqual(line, '')
    for (const secret of secretsOf(integration, to)) assert.ok(!line.includes(secret), line)
  })

  test(name('a check without a name is told, and nobody learns with which address to ping it'), async t => {
    const { requests } = await sending(t, cases, anAlert({ check: { name: '', slug: '' } }))
    const said = requests.map(readable).join('\n')
    assert.equal(said.includes(UUID), cases.namesUuid ?? false, said)
  })

  const { enabled } = cases
  if (enabled) {
    test(name('an operator can switch the kind off'), async t => {
      const { to, transports, requests } = await openTrial(t, cases)
      const off = { ...to, operator: { ...to.operator, [enabled.setting]: 'false' } }
      const refused = { name: 'DeliveryError', message: enabled.error, options: {} }
      await assert.rejects(async () => integration.send(FALL, off, transports), refused)
      if (integration.notify) {
        await assert.rejects(async () => integration.notify!(aNotice(), off, transports), refused)
      }
      assert.deepEqual(requests, [])
      assert.ok(integration.operatorSettings?.some(({ name }) => name === enabled.setting))
    })
  }

  redirectCase(cases)
  if (integration.groups) digestCase(cases)

  const { notice: holds } = cases
  if (holds === null) {
    test(name('is passed over for notices'), () => assert.equal(integration.notify, undefined))
  } else {
    test(name('a notice arrives'), async t => {
      const opened = await openTrial(t, cases, cases.accepts)
      const notice = aNotice({ title: `The channel ${HOSTILE} was disabled` })
      await integration.notify?.(notice, opened.to, opened.transports)
      holds(opened.requests, notice)
      holdsTexts(cases, opened.requests, ['was disabled', notice.text, notice.url])
    })
  }
}

function digestCase(cases: IntegrationCases): void {
  const { integration, digest } = cases
  test(`${integration.kind}: many alerts are told in one message, in which no name is obeyed`, async t => {
    const opened = await openTrial(t, cases, cases.accepts)
    await integration.notify?.(HOSTILE_DIGEST, opened.to, opened.transports)
    holdsTexts(cases, opened.requests, [HOSTILE_DIGEST.title, 'Backup', HOSTILE_DIGEST.url])
    for (const request of opened.requests) assert.equal(request.headers['x-evil'], undefined)
    digest?.(opened.requests, HOSTILE_DIGEST)
  })
}

/** A redirect may send the message to another origin, but never a key, in headers or in the body. */
function redirectCase(cases: IntegrationCases): void {
  test(`${cases.integration.kind}: a redirect to another origin carries no key`, async t => {
    const elsewhere = await openRecorder(t, request => cases.accepts?.(request) ?? {})
    const opened = await openTrial(t, cases, () => ({ status: 307, headers: { location: elsewhere.url } }))
    await opened.send(FALL).catch((error: unknown) => assert.ok(error instanceof DeliveryError))
    const keys = secretsOf(cases.integration, opened.to)
    for (const { headers, body, url } of elsewhere.requests) {
      assert.equal(headers.authorization, undefined)
      const carried = JSON.stringify({ headers, body, url })
      for (const key of keys) {
        for (const text of [key, encodeURIComponent(key)]) assert.ok(!carried.includes(text), carried)
      }
    }
    assert.ok(opened.requests.length > 0)
  })
}
