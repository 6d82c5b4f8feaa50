/** No message of any kind is longer than its service accepts, however long the names and outputs are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { digestWords, MAX_NAMED } from '../../../src/core/alerts/digest.js'
import { sampleOperator } from '../../../src/http/web/dev/sample-channels.js'
import { handedOver, sampleDestination } from '../../../src/http/web/dev/sample-messages.js'
import { integrationOf } from '../../../src/integrations/index.js'
import { aNotice, anAlert, aPing, NOW } from '../../_support/alert.js'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into payloads of every shape.
type Body = any
type Limit = [what: string, length: number, most: number]

/** Slack's format as Discord limits it. Source: Discord, "Embed Limits". */
function embed({ attachments: [{ title, text, fields = [] }] }: Body): Limit[] {
  const all = fields.flatMap(({ title: name, value }: Body) => [name, value])
  return [
    ['title', title.length, 256],
    ['text', text?.length ?? 0, 4096],
    ['fields', fields.length, 25],
    ...fields.flatMap(({ title: name, value }: Body): Limit[] => [
      [`name of ${name}`, name.length, 256],
      [name, value.length, 1024],
    ]),
    ['embed', [title, text ?? '', ...all].join('').length, 6000],
  ]
}

const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

/** The limits of the services, by their documents. Services without a documented limit are absent. */
const LIMITS: Record<string, (body: Body) => Limit[]> = {
  call: ({ Twiml }) => [['markup', Twiml.length, 4000]],
  discord: embed,
  github: ({ title, body }) => [
    ['title', title.length, 256],
    ['body', body.length, 65_536],
  ],
  googlechat: body => [['card', bytes(body), 32_000]],
  matrix: body => [['event', bytes(body), 65_536 - 2_000]],
  mattermost: body => [['message', JSON.stringify(body).length, 16_383]],
  msteamsw: body => [['card', bytes(body), 28_000]],
  ntfy: ({ title, message }) => [
    ['title', title.length, 1024],
    ['message', bytes(message), 4096],
  ],
  opsgenie: ({ message = '', description = '', note = '', tags = [], source, details = {} }) => [
    ['message', message.length, 130],
    ['description', description.length, 15_000],
    ['note', note.length, 25_000],
    ['source', source.length, 100],
    ['tags', tags.length, 20],
    ...tags.map((tag: string): Limit => ['tag', tag.length, 50]),
    ['details', JSON.stringify(details).length, 8000],
  ],
  pd: body => [
    ['summary', body.payload?.summary.length ?? 0, 1024],
    ['event', bytes(body), 512_000],
  ],
  po: ({ message = '', title = '', url = '', url_title = '' }) => [
    ['message', message.length, 1024],
    ['title', title.length, 250],
    ['url', url.length, 512],
    ['url_title', url_title.length, 100],
  ],
  rocketchat: ({ text }) => [['text', text.length, 5000]],
  signal: ({ message }) => [['message', bytes(message), 65_536]],
  slack: body => [['message', JSON.stringify(body).length, 40_000]],
  sms: ({ Body: body }) => [['text', body.length, 1600]],
  telegram: ({ text }) => [['text', text.length, 4096]],
  trello: ({ name, desc }) => [
    ['name', name.length, 16_384],
    ['description', desc.length, 16_384],
  ],
  victorops: ({ state_message, entity_display_name }) => [
    ['state message', bytes(state_message), 20_480],
    ['display name', entity_display_name.length, 512],
  ],
  zulip: ({ topic, content }) => [
    ['topic', topic.length, 60],
    ['content', content.length, 10_000],
  ],
}

/** Characters that formats escape, that need several bytes, and that break lines. */
const hardText = (max: number) =>
  fc
    .tuple(
      fc.constantFrom(
        '*',
        '&',
        '<',
        '"',
        '`',
        '_',
        '|',
        '@',
        '\\',
        '\n',
        'a',
        '\u0101',
        '\u{1f525}',
        '[a](b) ',
      ),
      fc.integer({ min: 0, max }),
    )
    .map(([unit, length]) =>
      unit
        .repeat(length)
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, ''),
    )

const alerts = fc
  .record({
    name: hardText(100),
    desc: hardText(50_000),
    tags: hardText(500),
    project: hardText(100),
    output: hardText(20_000),
    other: hardText(100),
    finding: hardText(300),
    schedule: hardText(100),
    down: fc.boolean(),
  })
  .map(({ name, desc, tags, project, output, other, finding, schedule, down }) =>
    anAlert({
      status: down ? 'down' : 'up',
      check: { name, desc, tags, kind: 'cron', schedule },
      project: { name: project, url: 'https://monitor.example/projects/alpha/' },
      lastPing: aPing({ action: 'fail', exitStatus: 255, body: Buffer.from(output), durationMs: 725_000 }),
      flip: { reason: down ? 'failed' : '' },
      otherChecks: 40,
      othersDown: Array.from({ length: 10 }, () => ({ label: other, lastPing: NOW })),
      finding,
      dependants: { count: 40, names: [other, other, other, other, other] },
      held: { by: `silence: ${other}`, since: NOW - 3_600_000 },
      superseded: 3,
      acknowledgeUrl: `https://monitor.example/integrations/x/incidents/7/${'s'.repeat(40)}/`,
    }),
  )

const digests = hardText(100).map(name =>
  aNotice({
    ...digestWords(
      Array.from({ length: MAX_NAMED + 5 }, (_, flipId) => ({
        flipId,
        check: { name, slug: '', uniqueKey: '0'.repeat(40) },
        status: 'down' as const,
        statusNow: 'up' as const,
        reason: 'missed' as const,
        at: NOW - 86_400_000,
        outage: null,
      })),
      name,
      NOW,
      { root: 'https://monitor.example' },
    ),
    status: 'down',
    acknowledgeUrl: `https://monitor.example/integrations/x/messages/${'s'.repeat(80)}/`,
  }),
)

const operator = sampleOperator()

for (const [kind, limitsOf] of Object.entries(LIMITS)) {
  test(`${kind}: no message is longer than the service accepts`, async () => {
    const integration = integrationOf(kind)!
    await fc.assert(
      fc.asyncProperty(fc.oneof(alerts, digests), async about => {
        const handed = await handedOver(integration, about, sampleDestination(kind, operator))
        const { body } = handed.at(-1) ?? {}
        if (body === undefined) return
        for (const [what, length, most] of limitsOf(parsed(body))) {
          assert.ok(length <= most, `${what} has ${length} of ${most}`)
        }
      }),
      { numRuns: 40 },
    )
  })
}

function parsed(body: unknown): Body {
  if (typeof body !== 'string') return body
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
}
