/** Sends messages through Zulip. Sources: docs/behaviour.md, section 8.4; Zulip API, "Send a message". */
import { Refusal } from '../../../core/errors.js'
import type { ChannelSettings } from '../../field.js'
import { checkField } from '../../fields.js'
import { expectOk } from '../../http/expect-ok.js'
import type { Destination, Integration } from '../../integration.js'
import { requireEnabled } from '../../require-enabled.js'
import { enabledSwitch } from '../../switches.js'
import {
  label,
  markdownNotice,
  markdownStyle,
  messageText,
  noticeTitle,
  noticeWithLinks,
  title,
} from '../../text/chat-text.js'
import { clip } from '../../text/clip.js'
import { disableMentions } from '../../text/markup.js'
import { readerZone } from '../../text/reader-zone.js'
import type { Transports } from '../../transports.js'
import { botFields, parseZuliprc } from './zuliprc.js'

/** Zulip's limits. Source: Zulip API, `max_topic_length`, `max_message_length`. */
const TOPIC_CHARACTERS = 60
const CONTENT_CHARACTERS = 9_900

export const zulip: Integration = {
  kind: 'zulip',
  label: 'Zulip',
  category: 'chat',
  colour: '#5560c8',
  help:
    'Sends a message to a channel of your Zulip organisation, or to one of its members. You need a bot: its e-mail ' +
    'address, its API key and the address of the organisation, or the file `zuliprc` that holds all three.',
  exampleFields: ['bot_email', 'api_key', 'site', 'to'],
  guide: `
In Zulip, open **Personal settings → Bots → Add a new bot**, choose the type *Incoming webhook*, and download its
\`zuliprc\`. Paste the file into the field of that name. Punctual fills in the three fields before it from the file,
and does not store the file itself. On the command line, set \`bot_email\`, \`api_key\` and \`site\` as well as \`to\`.

Without a topic, all messages about a check are posted to the topic of its name.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<circle cx="12" cy="12" r="9"/><path d="M8.5 8h7l-7 8h7" stroke-linejoin="round"/></svg>',
  fields: [
    ...botFields,
    {
      name: 'zuliprc',
      label: 'zuliprc',
      type: 'multiline',
      sensitive: true,
      maxLength: 2000,
      help: 'Instead of the three fields above: the text of the file.',
    },
    {
      name: 'mtype',
      label: 'Send to',
      type: 'choice',
      choices: ['stream', 'private'],
      choiceLabels: { stream: 'A channel', private: 'A member' },
      default: 'stream',
    },
    {
      name: 'to',
      label: 'Name of the channel, or the member',
      type: 'text',
      required: true,
      maxLength: 100,
      help: 'A member by e-mail address or user ID.',
    },
    {
      name: 'topic',
      label: 'Topic',
      type: 'text',
      maxLength: TOPIC_CHARACTERS,
      help: 'For a channel. Without it the topic is the name of the check.',
    },
  ],
  operatorSettings: [enabledSwitch('ZULIP_ENABLED', 'Zulip')],
  needs: ['ZULIP_ENABLED'],
  check,
  describe: ({ mtype, to, site }) => `${mtype === 'stream' ? '#' : ''}${to} at ${new URL(site!).host}`,
  groups: true,
  async send(alert, to, transports) {
    const tz = readerZone(alert, to)
    const message = messageText(alert, tz, markdownStyle(escapeZulip))
    await post(to, transports, label(alert), `**${escapeZulip(title(alert))}.**\n\n${message}`)
  },
  async notify(notice, to, transports) {
    const heading = noticeTitle(notice)
    await post(
      to,
      transports,
      heading,
      `**${escapeZulip(heading)}**\n\n${noticeWithLinks(notice, markdownNotice(escapeZulip))}`,
    )
  },
}

/** Addresses or IDs, separated by commas, or a list of them in JSON. Source: Zulip API, "Send a message". */
const MEMBER = /^(\d+(\s*,\s*\d+)*|[^\s@,]+@[^\s@,]+(\s*,\s*[^\s@,]+@[^\s@,]+)*|\[.+\])$/

function check(settings: ChannelSettings): ChannelSettings {
  const { zuliprc, ...rest } = settings
  const found: Record<string, string> = zuliprc ? parseZuliprc(zuliprc) : {}
  for (const field of botFields) {
    if (found[field.name]) checkField({ ...field, name: 'zuliprc' }, found[field.name])
    else if (!rest[field.name]) {
      throw new Refusal('invalid', 'This field is required, or paste the zuliprc.', field.name)
    }
  }
  const whole: ChannelSettings = { ...rest, ...found }
  if (whole.mtype === 'private' && !MEMBER.test(whole.to!)) {
    throw new Refusal('invalid', 'Enter the e-mail address or the user ID of a member.', 'to')
  }
  return { ...whole, zuliprc: '' }
}

async function post(
  to: Destination,
  transports: Transports,
  heading: string,
  content: string,
): Promise<void> {
  requireEnabled(to, 'ZULIP_ENABLED', 'Zulip')
  const { settings } = to
  const form = {
    type: settings.mtype!,
    to: settings.mtype === 'private' && /^[\d,\s]+$/.test(settings.to!) ? `[${settings.to}]` : settings.to!,
    topic: clip(settings.topic || heading, TOPIC_CHARACTERS),
    content: clip(content, CONTENT_CHARACTERS),
  }
  const login = Buffer.from(`${settings.bot_email}:${settings.api_key}`).toString('base64')
  const answer = await transports.http({
    method: 'POST',
    url: `${settings.site!.replace(/(\/+api)?\/*$/, '')}/api/v1/messages`,
    headers: {
      Authorization: `Basic ${login}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  })
  expectOk(answer)
}

/** Escapes a text for Zulip. Its Markdown has no escapes, so marks are separated by invisible spaces. */
function escapeZulip(text: string): string {
  return disableMentions(text).replace(/\*(?=\*)|~(?=~)|\$(?=\$)/g, mark => `${mark}\u200b`)
}
