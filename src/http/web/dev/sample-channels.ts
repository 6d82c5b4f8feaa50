/** Invented settings of a channel of every kind, and of the operator. */
import { generateKeyPairSync } from 'node:crypto'

const HOOK = 'https://hooks.example.org/services/T0/B0/x'

/** The settings of a channel by its kind; a group has none, because it sends nothing itself. */
export const SAMPLE_SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  apprise: { apprise_url: 'tgram://123456:token/987654' },
  call: { phone: '+37121234567' },
  discord: { url: 'https://discord.com/api/webhooks/1/token' },
  email: { value: 'alice@example.org', down: 'true', up: 'true' },
  github: { installation_id: '1', repo: 'example/jobs', labels: 'down' },
  googlechat: { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t' },
  gotify: { url: 'https://push.example.org', token: 'token', priority_down: '9', priority_up: '5' },
  matrix: { room_id: '!ops:example.org' },
  mattermost: { url: HOOK },
  msteamsw: { url: HOOK },
  ntfy: { topic: 'jobs', url: 'https://ntfy.example.org', token: '', priority: '3', priority_up: '3' },
  opsgenie: { key: 'key', region: 'eu' },
  pagertree: { url: HOOK },
  pd: { service_key: 'k'.repeat(32), api: 'v2', severity: 'critical' },
  po: { user_key: 'u'.repeat(30), priority_down: '1', priority_up: '0' },
  pushbullet: { access_token: 'token' },
  rocketchat: { url: HOOK },
  shell: { cmd_down: 'logger "$NAME is down"', cmd_up: 'logger "$NAME is up"' },
  signal: { value: '+37121234567', down: 'true', up: 'true' },
  slack: { url: 'https://hooks.slack.com/services/T0/B0/x' },
  sms: { phone: '+37121234567', down: 'true', up: 'true' },
  spike: { url: HOOK },
  telegram: { chat_id: '-100123' },
  trello: { token: 'token', list_id: 'list' },
  victorops: { url: HOOK },
  webhook: {
    url_down: HOOK,
    method_down: 'POST',
    body_down: '{"name": $NAME_JSON, "status": "$STATUS", "exit": $EXITSTATUS, "output": $BODY_JSON}',
    url_up: HOOK,
    method_up: 'POST',
    body_up: '{"name": $NAME_JSON, "status": "$STATUS"}',
  },
  whatsapp: { phone: '+37121234567', down: 'true', up: 'true' },
  zulip: {
    bot_email: 'bot@zulip.example',
    api_key: 'key',
    site: 'https://zulip.example',
    mtype: 'stream',
    to: 'ops',
  },
}

const ENABLED = [
  'MATTERMOST',
  'MSTEAMS',
  'OPSGENIE',
  'PAGERTREE',
  'PD',
  'ROCKETCHAT',
  'SHELL',
  'SLACK',
  'SPIKE',
]

/** The operator's settings. They have a key for GitHub, which takes a moment to make. */
export function sampleOperator(): Readonly<Record<string, string>> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return {
    ...Object.fromEntries(
      [...ENABLED, 'VICTOROPS', 'WEBHOOKS', 'ZULIP', 'APPRISE'].map(name => [`${name}_ENABLED`, 'true']),
    ),
    APPRISE_API_URL: 'http://apprise:8000',
    GITHUB_CLIENT_ID: 'client',
    GITHUB_PRIVATE_KEY: privateKey,
    MATRIX_HOMESERVER: 'https://matrix.example.org',
    MATRIX_ACCESS_TOKEN: 'token',
    PUSHOVER_API_TOKEN: 'token',
    PUSHOVER_EMERGENCY_RETRY_DELAY: '300',
    PUSHOVER_EMERGENCY_EXPIRATION: '86400',
    SIGNAL_CLI_SOCKET: '/run/signal-cli/socket',
    TELEGRAM_TOKEN: '1:token',
    TRELLO_APP_KEY: 'key',
    TWILIO_ACCOUNT: 'AC0',
    TWILIO_AUTH: 'auth',
    TWILIO_FROM: '+15005550006',
    TWILIO_USE_WHATSAPP: 'true',
    WHATSAPP_DOWN_CONTENT_SID: 'HX0',
    WHATSAPP_UP_CONTENT_SID: 'HX1',
  }
}
