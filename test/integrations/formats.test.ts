/** What each kind refuses because it can never work, and what it lets through. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../src/integrations/fields.js'
import { integrationOf, integrations } from '../../src/integrations/index.js'

interface Case {
  kind: string
  field: string
  /** The other fields, without which nothing is taken. */
  rest?: Record<string, string>
  taken: readonly string[]
  refused: readonly string[]
  says: string
}

const KEY = '0123456789abcdefABCDEF0123456789'
const bot = { bot_email: 'bot@chat.example', api_key: KEY, site: 'https://chat.example', to: 'ops' }
const WEBHOOK = 'https://discord.com/api/webhooks/123456/s3-cr_3t'
const SPACE = 'https://chat.googleapis.com/v1/spaces/AAAA/messages'

const cases: readonly Case[] = [
  {
    kind: 'apprise',
    field: 'apprise_url',
    taken: ['tgram://token/chat', 'mailto://me:pass@example.org', 'https://hooks.example/1', 'dbus://'],
    refused: ['token/chat', 'alice@example.org', '://token'],
    says: 'Enter an Apprise URL, such as tgram://token/chat.',
  },
  {
    kind: 'call',
    field: 'phone',
    taken: ['+37121234567', '+1 (555) 000-0000'],
    refused: ['21234567', '+123', '+1234567890123456', 'alice'],
    says: 'Enter a phone number in international form.',
  },
  {
    kind: 'discord',
    field: 'url',
    taken: [
      WEBHOOK,
      `${WEBHOOK}/slack?thread_id=1`,
      'https://discordapp.com/api/v10/webhooks/1/a',
      'https://relay.example/discord',
    ],
    refused: [
      'https://discord.com/channels/1/2',
      'https://discord.gg/abc',
      'https://discord.com/api/webhooks/1',
    ],
    says: 'Enter the address of a webhook, which begins with https://discord.com/api/webhooks/.',
  },
  {
    kind: 'email',
    field: 'value',
    taken: ['alice@example.org', 'alice+jobs@mail.example.org', 'root@localhost', 'zoë@bücher.example'],
    refused: ['alice', '@example.org', 'alice@', 'alice@example..org', 'alice@.org', 'alice@example.org.'],
    says: 'Enter a valid email address.',
  },
  {
    kind: 'github',
    field: 'installation_id',
    rest: { repo: 'alice/jobs' },
    taken: ['4711'],
    refused: ['0', '-1'],
    says: 'Enter the number of an installation.',
  },
  {
    kind: 'googlechat',
    field: 'url',
    taken: [
      `${SPACE}?key=a&token=b`,
      `${SPACE}?token=b&key=a&threadKey=c`,
      'https://script.google.com/macros/s/a/exec',
    ],
    refused: [
      'https://chat.google.com/room/AAAA',
      'https://mail.google.com/chat/u/0/',
      SPACE,
      `${SPACE}?key=a`,
    ],
    says:
      'Enter the whole address of a webhook, which begins with https://chat.googleapis.com/v1/spaces/ and has a key ' +
      'and a token.',
  },
  {
    kind: 'gotify',
    field: 'url',
    rest: { token: 'A0123456789abcd' },
    taken: ['https://push.example', 'https://home.example/gotify/', 'http://nas:8080'],
    refused: [
      'https://push.example/#/applications',
      'https://push.example/message',
      'https://push.example?token=A',
    ],
    says: 'Enter the address of the server alone, without /message and anything after ? or #.',
  },
  {
    kind: 'gotify',
    field: 'token',
    rest: { url: 'https://push.example' },
    taken: ['A0123456789.-_d', 'Clientele'],
    refused: ['C0123456789.-_d', 'P0123456789abcd', 'a b'],
    says: 'Enter the token of an application, which begins with A; that of a client cannot send messages.',
  },
  {
    kind: 'matrix',
    field: 'room_id',
    taken: [
      '#ops:example.org',
      '#night shift:[::1]:8448',
      '!abc:example.org',
      '!31hneApxJ_1o-63DmFrpeqnkFFWppnzWso1J',
    ],
    refused: ['ops', '#ops', '#ops:', '@alice:example.org', 'https://matrix.to/#/#ops:example.org', '!a b'],
    says: 'Enter an alias with its server, such as #ops:example.org, or an ID, which begins with !.',
  },
  {
    kind: 'mattermost',
    field: 'url',
    taken: [
      'https://chat.example/hooks/abc',
      'https://example.org/mattermost/hooks/abc',
      'http://relay:8065/x',
    ],
    refused: [
      'https://chat.example/team/channels/ops',
      'https://chat.example/team/integrations/incoming_webhooks',
    ],
    says: 'Enter the address of an incoming webhook, such as https://mattermost.example.org/hooks/….',
  },
  {
    kind: 'msteamsw',
    field: 'url',
    taken: [
      'https://prod-1.westeurope.logic.azure.com:443/workflows/a/triggers/manual/paths/invoke?sig=b',
      'https://default0.1.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/a?sig=b',
      'https://example.webhook.office.com/webhookb2/a',
    ],
    refused: [
      'https://teams.microsoft.com/l/channel/19%3Aabc/Ops',
      'https://teams.live.com/x',
      'https://make.powerautomate.com/environments/x/flows/y',
    ],
    says: 'Enter the address that the workflow was given; this is the address of a page.',
  },
  {
    kind: 'ntfy',
    field: 'url',
    rest: { topic: 'jobs' },
    taken: ['https://ntfy.sh', 'https://ntfy.sh/', 'https://home.example/ntfy/', 'http://nas'],
    refused: ['https://ntfy.sh/jobs', 'https://ntfy.sh/other', 'https://push.example/jobs/'],
    says: 'Enter the address of the server alone, without the topic.',
  },
  {
    kind: 'ntfy',
    field: 'url',
    rest: { topic: 'jobs' },
    taken: [],
    refused: ['https://push.example?auth=x', 'https://push.example/#x'],
    says: 'Enter the address of the server alone, without anything after ? or #.',
  },
  {
    kind: 'ntfy',
    field: 'token',
    rest: { topic: 'jobs' },
    taken: ['tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
    refused: ['alice secret', 'Bearer tk_x', 'tökén'],
    says: 'Enter the token alone, without blanks.',
  },
  {
    kind: 'opsgenie',
    field: 'key',
    taken: ['eb243592-faa2-4ba2-a551-1afdf565c889'],
    refused: ['GenieKey eb243592', 'key=eb243592'],
    says: 'Enter the API key alone: letters, digits and hyphens.',
  },
  {
    kind: 'pagertree',
    field: 'url',
    taken: ['https://api.pagertree.com/integration/int_abc', 'https://relay.example/x'],
    refused: ['https://app.pagertree.com/integrations/int_abc', 'https://pagertree.com'],
    says: 'Enter the endpoint URL of the integration, which begins with https://api.pagertree.com/.',
  },
  {
    kind: 'pd',
    field: 'service_key',
    taken: [KEY, 'R012345678901234567890123456789Z'],
    refused: ['y_NbAkKc66ryYTWUXYEu', 'e93facc04764012d7bfb002500d5d1a', `${KEY.slice(1)}-`],
    says: 'Enter an integration key, which has 32 letters and digits; keys of the REST API have 20 and open no incidents.',
  },
  {
    kind: 'po',
    field: 'user_key',
    taken: ['uQiRzpo4DXghDmr9QzzfQu27cmVRsG'],
    refused: ['alice@example.org', 'uQiRzpo4DXghDmr9QzzfQu27cmVRs', 'uQiRzpo4DXghDmr9QzzfQu27cmVR-G'],
    says: 'Enter the key of a user or group, which has 30 letters and digits; it is not an e-mail address.',
  },
  {
    kind: 'pushbullet',
    field: 'access_token',
    taken: ['o.0123456789abcdef'],
    refused: ['my token', 'o.ā'],
    says: 'Enter the token alone, without blanks.',
  },
  {
    kind: 'rocketchat',
    field: 'url',
    taken: ['https://chat.example/hooks/id/token', 'http://relay/x'],
    refused: ['https://chat.example/channel/ops', 'https://chat.example/admin/integrations'],
    says: 'Enter the address of an incoming webhook, such as https://chat.example.org/hooks/….',
  },
  {
    kind: 'signal',
    field: 'value',
    taken: ['+37121234567', 'alice.42'],
    refused: ['alice', 'alice.1', '21234567'],
    says: 'Enter a phone number or a username.',
  },
  {
    kind: 'slack',
    field: 'url',
    taken: [
      'https://hooks.slack.com/services/T0/B0/x',
      'https://hooks.slack-gov.com/services/T0/B0/x',
      'https://hooks.slack.com/triggers/T0/1/x',
      'https://chat.example/hooks/for-slack',
    ],
    refused: [
      'https://example.slack.com/archives/C0',
      'https://hooks.slack.com/',
      'https://app.slack.com/client/T0/C0',
    ],
    says: 'Enter the address of an incoming webhook, which begins with https://hooks.slack.com/services/.',
  },
  {
    kind: 'spike',
    field: 'url',
    taken: ['https://hooks.spike.sh/abc/push-events', 'http://relay/x'],
    refused: ['https://app.spike.sh/integrations', 'https://spike.sh'],
    says: 'Enter the webhook URL of the integration, which begins with https://hooks.spike.sh/.',
  },
  {
    kind: 'telegram',
    field: 'chat_id',
    taken: ['-100123456789', '42', '@punctual_ops'],
    refused: ['0', '-0', 'Night shift', 'https://t.me/ops'],
    says: 'Enter the number of a chat, or the @name of a channel.',
  },
  {
    kind: 'telegram',
    field: 'thread_id',
    rest: { chat_id: '42' },
    taken: ['7', ''],
    refused: ['0', '-7'],
    says: 'Enter the number of a topic.',
  },
  {
    kind: 'trello',
    field: 'list_id',
    rest: { token: 'ATTA0123' },
    taken: ['5abbe4b7ddc1b351ef961414'],
    refused: ['To do', 'https://trello.com/b/x'],
    says: 'Enter the ID of a list, which has letters and digits alone; it is not its name.',
  },
  {
    kind: 'victorops',
    field: 'url',
    taken: ['https://alert.victorops.com/integrations/generic/20131114/alert/0123/database'],
    refused: [
      'https://alert.victorops.com/integrations/generic/20131114/alert/0123/$routing_key',
      'https://alert.victorops.com/integrations/generic/20131114/alert/0123/%24routing_key',
      'https://portal.victorops.com/ui/example',
    ],
    says: 'Enter the REST endpoint URL with your routing key in place of $routing_key.',
  },
  {
    kind: 'webhook',
    field: 'url_down',
    taken: ['https://example.org/$NAME', 'http://127.0.0.1:8000/', 'http://nas', 'https://example.org.'],
    refused: [
      'https://...',
      'https://example..org',
      'http://12345',
      'http://0x7f/x',
      'myorg site',
      'ftp://example.org',
    ],
    says: 'Enter a valid URL.',
  },
  {
    kind: 'zulip',
    field: 'site',
    rest: bot,
    taken: ['https://chat.example', 'example.zulipchat.com', 'https://chat.example/api'],
    refused: ['https://chat.example/#narrow/channel/5-ops', 'https://chat.example/login/?next=%2F'],
    says: 'Enter the address of the server alone, without anything after ? or #.',
  },
  {
    kind: 'zulip',
    field: 'api_key',
    rest: bot,
    taken: [KEY],
    refused: ['abc123', `${KEY}0`, 'my key'],
    says: 'Enter the API key of the bot, which has 32 letters and digits.',
  },
  {
    kind: 'zulip',
    field: 'to',
    rest: { ...bot, mtype: 'private' },
    taken: ['alice@example.org', '9', '9, 10', 'alice@example.org,bob@example.org', '["alice@example.org"]'],
    refused: ['Alice', '@alice', 'ops', 'alice@example.org, Bob'],
    says: 'Enter the e-mail address or the user ID of a member.',
  },
]

for (const { kind, field, rest = {}, taken, refused, says } of cases) {
  const check = (value: string) => checkSettings(integrationOf(kind)!, { ...rest, [field]: value })
  test(`${kind} takes as ${field} what may work, and says what is wrong with what cannot`, () => {
    for (const value of taken) assert.doesNotThrow(() => check(value), value)
    for (const value of refused) {
      assert.throws(() => check(value), { name: 'Refusal', code: 'invalid', field, message: says }, value)
    }
  })
}

test('the default of a field matches its own format', () => {
  for (const { kind, fields } of integrations) {
    for (const { name, format, default: value } of fields) {
      if (format && value) assert.ok(format.matches(value), `${kind}: ${name}`)
    }
  }
})

test('the values in a zuliprc are validated like those of the fields', () => {
  const paste = (key: string, site: string) =>
    checkSettings(integrationOf('zulip')!, {
      to: 'ops',
      zuliprc: `[api]\nemail=bot@chat.example\nkey=${key}\nsite=${site}`,
    })
  assert.equal(paste(KEY, 'https://chat.example').site, 'https://chat.example')
  const refused = { name: 'Refusal', code: 'invalid', field: 'zuliprc' }
  assert.throws(() => paste('abc', 'https://chat.example'), { ...refused, message: /32 letters and digits/ })
  assert.throws(() => paste(KEY, 'https://chat.example/#x'), { ...refused, message: /server alone/ })
})
