/** Sends push messages through Pushover. Source: docs/behaviour.md, section 8.4; Pushover's Message and Receipts APIs. */
import { oneLine } from '../../../core/text/clean-text.js'
import { escapeHtml } from '../../../views/escape-html.js'
import { matches } from '../../formats.js'
import { expectOk } from '../../http/expect-ok.js'
import { jsonField } from '../../http/json-field.js'
import { postForm } from '../../http/post-form.js'
import { DeliveryError, type Destination, type Integration } from '../../integration.js'
import { priorityFields } from '../../switches.js'
import { noticeText, title } from '../../text/chat-text.js'
import { beginningWithin, clip, clipMiddle } from '../../text/clip.js'
import { htmlAlert } from '../../text/incident-html.js'
import type { Transports } from '../../transports.js'
import { poSetup } from './po-setup.js'

const API = 'https://api.pushover.net/1'

/** Source: Pushover's Message API, "Limits". */
const MAX = { message: 1024, title: 250, url: 512, urlTitle: 100 }

/** Source: the same, "Emergency priority". */
const MIN_RETRY_SECONDS = 30
const MAX_EXPIRE_SECONDS = 10_800

const OFF = '-3'
const NORMAL = '0'
/** Repeated until a user acknowledges it. */
const EMERGENCY = '2'

/** Pushover's priorities, and one that turns a direction off. */
const PRIORITIES = new Map([
  [EMERGENCY, 'emergency'],
  ['1', 'high'],
  [NORMAL, 'normal'],
  ['-1', 'low'],
  ['-2', 'lowest'],
  [OFF, 'off'],
])

export const po: Integration = {
  kind: 'po',
  label: 'Pushover',
  category: 'device',
  colour: '#1f6fb5',
  help:
    'Sends push messages to phones and computers through Pushover, with a priority of your choice for each ' +
    'direction. It needs your Pushover user key or a group key.',
  guide: `
The operator registers an application at pushover.net and sets \`PUSHOVER_API_TOKEN\`. With
\`PUSHOVER_SUBSCRIPTION_URL\`, users subscribe on a page of Pushover; without it, they enter the user key from their
Pushover dashboard.

The priorities are those of Pushover: \`2\` emergency, repeated until acknowledged; \`1\` high, which bypasses quiet
hours; \`0\` normal; \`-1\` low, without a sound; \`-2\` lowest, without a notification. In addition, \`-3\` sends
nothing. When a check comes back up, its repeated emergency is cancelled, even if recoveries are turned off. If you change the
priority while an emergency is repeated, acknowledge that in the app: only emergencies are cancelled.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<rect x="6" y="2" width="12" height="20" rx="2"/><path d="M10 14V7h2.5a2.5 2.5 0 0 1 0 5H10"/></svg>',
  operatorSettings: [
    {
      name: 'PUSHOVER_API_TOKEN',
      secret: true,
      help: 'The token of an application registered with Pushover.',
    },
    {
      name: 'PUSHOVER_SUBSCRIPTION_URL',
      help: 'The address where users subscribe to that application; empty: they enter their user key.',
    },
    {
      name: 'PUSHOVER_EMERGENCY_RETRY_DELAY',
      type: 'number',
      default: '300',
      help: 'The number of seconds between repeats of an emergency, at least 30.',
    },
    {
      name: 'PUSHOVER_EMERGENCY_EXPIRATION',
      type: 'number',
      default: '86400',
      help: 'The number of seconds for which an emergency is repeated. Pushover’s maximum of 10800 applies to higher values.',
    },
  ],
  needs: ['PUSHOVER_API_TOKEN'],
  setup: poSetup,
  fields: [
    {
      name: 'user_key',
      label: 'User key',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 60,
      format: matches(
        /^[A-Za-z0-9]{30}$/,
        'Enter the key of a user or group, which has 30 letters and digits; it is not an e-mail address.',
      ),
    },
    ...priorityFields(PRIORITIES, NORMAL),
  ],
  keepsOpen: ({ priority_down }) => priority_down === EMERGENCY,
  // An emergency is repeated until its check recovers, so each check needs its own message.
  groups: ({ priority_down }) => priority_down !== EMERGENCY,
  limit: { perMinute: 6, key: ({ user_key }) => user_key! },
  describe({ priority_down, priority_up }) {
    return `${PRIORITIES.get(priority_down!)} (down), ${PRIORITIES.get(priority_up!)} (up)`
  },
  wants(settings, status) {
    if (status === 'up' && settings.priority_down === EMERGENCY) return true
    return settings[`priority_${status}`] !== OFF
  },
  async send(alert, to, transports) {
    const { priority_down, priority_up } = to.settings
    const token = tokenOf(to)
    if (alert.status === 'up' && priority_down === EMERGENCY) {
      const receipts = `${API}/receipts/cancel_by_tag/${alert.check.uniqueKey}.json`
      expectOk(await transports.http({ ...postForm(receipts, { token }), secretBody: true }))
    }
    const priority = alert.status === 'down' ? priority_down : priority_up
    if (priority === OFF) return
    await push(to, transports, {
      title: clip(`${alert.status === 'down' ? '🔴' : '🟢'} ${title(alert)}`, MAX.title),
      message: htmlAlert(alert, to, MAX.message, output => output),
      priority: priority ?? NORMAL,
      tags: alert.check.uniqueKey,
      ...link(alert.checkUrl, `View on ${alert.site.name}`),
    })
  },
  async notify(notice, to, transports) {
    const priority = notice.status ? to.settings[`priority_${notice.status}`] : NORMAL
    if (priority === OFF) return
    await push(to, transports, {
      title: clipMiddle(oneLine(notice.title), MAX.title),
      message: escapeHtml(beginningWithin(noticeText(notice), MAX.message, escapeHtml)),
      priority: priority ?? NORMAL,
      ...link(notice.url, `View on ${notice.site.name}`),
    })
  },
}

function tokenOf({ operator }: Destination): string {
  if (operator.PUSHOVER_API_TOKEN) return operator.PUSHOVER_API_TOKEN
  throw new DeliveryError('Pushover notifications are not enabled.')
}

function link(url: string, urlTitle: string): Record<string, string> {
  return url.length > MAX.url ? {} : { url, url_title: clip(urlTitle, MAX.urlTitle) }
}

async function push(to: Destination, transports: Transports, message: Record<string, string>): Promise<void> {
  const { operator, settings } = to
  const emergency = {
    retry: String(Math.max(MIN_RETRY_SECONDS, Number(operator.PUSHOVER_EMERGENCY_RETRY_DELAY))),
    expire: String(Math.min(MAX_EXPIRE_SECONDS, Number(operator.PUSHOVER_EMERGENCY_EXPIRATION))),
  }
  const fields = {
    token: tokenOf(to),
    user: settings.user_key,
    html: '1',
    ...message,
    ...(message.priority === EMERGENCY ? emergency : {}),
  }
  const answer = await transports.http({ ...postForm(`${API}/messages.json`, fields), secretBody: true })
  if (answer.status === 400 && jsonField(answer.body, 'user') === 'invalid') {
    throw new DeliveryError('Received status code 400 (invalid user)', { permanent: true })
  }
  expectOk(answer)
}
