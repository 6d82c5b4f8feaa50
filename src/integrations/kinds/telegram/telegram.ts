/** Sends messages through a Telegram bot. Source: docs/behaviour.md, section 8.4; Telegram's Bot API, `sendMessage`. */
import { Refusal } from '../../../core/errors.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { escapeHtml } from '../../../views/escape-html.js'
import { matches } from '../../formats.js'
import { expectOk } from '../../http/expect-ok.js'
import { jsonField } from '../../http/json-field.js'
import { postJson } from '../../http/post-json.js'
import { DeliveryError, type Destination, type Integration, type Sent } from '../../integration.js'
import { ANSWER_LABEL, type Answerable } from '../../text/answer-link.js'
import { htmlNotice, noticeText } from '../../text/chat-text.js'
import { clipMiddle, joinLinesWithin } from '../../text/clip.js'
import { htmlAlert } from '../../text/incident-html.js'
import type { HttpAnswer, Transports } from '../../transports.js'
import { placeFields } from '../webhook-chat.js'
import { acknowledgeKeyboard } from './telegram-press.js'
import { telegramSettings, telegramSetup } from './telegram-setup.js'

/** Source: the Bot API, `sendMessage`. */
const MESSAGE_CHARACTERS = 4096
/** Escaping makes a title at most five times as long. */
const TITLE_CHARACTERS = 1000

/** Errors that mean that messages will never be delivered. Source: docs/behaviour.md, section 8.4. */
const FINAL = [
  'Forbidden: the group chat was deleted',
  'Forbidden: bot was blocked by the user',
  'Forbidden: user is deactivated',
  'Forbidden: bot was kicked from the group chat',
  'Forbidden: bot was kicked from the supergroup chat',
  'Bad Request: chat not found',
]

export const telegram: Integration = {
  kind: 'telegram',
  label: 'Telegram',
  category: 'chat',
  colour: '#1f88bf',
  popular: true,
  help: 'Sends messages to a Telegram user, group or channel.',
  guide: `
The operator creates a bot with Telegram's @BotFather, and sets \`TELEGRAM_TOKEN\` and \`TELEGRAM_BOT_NAME\`. You send
\`/start\` to the bot, or \`/start@its_name\` in a group, and open the link in its answer. On the command line, you can
instead set the ID of a chat. In a group with topics, messages are posted to the topic in which the bot was started.

Under a down alert is a button, *Acknowledge*. Punctual records who pressed it, and adds their name to the message. It works
in the chat to which the alert was sent, until the incident is over. If you have registered a webhook with an older version,
run \`punctual telegram webhook\` again, so that Telegram reports the button.

When a group becomes a supergroup, Telegram gives it a new ID, and Punctual updates the channel. Punctual disables the
channel if the chat is deleted or the bot is blocked.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M3 12 21 4l-4 16-6-5z"/><path d="m11 15 10-11"/></svg>',
  operatorSettings: [
    { name: 'TELEGRAM_TOKEN', secret: true, help: 'The token of a Telegram bot.' },
    { name: 'TELEGRAM_BOT_NAME', help: 'The name of that bot, without the `@`.' },
    ...telegramSettings,
  ],
  needs: ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_NAME'],
  setup: telegramSetup,
  fields: [
    { name: 'chat_id', label: 'Chat id', type: 'text', required: true, maxLength: 50 },
    {
      name: 'thread_id',
      label: 'Topic id',
      type: 'number',
      help: 'For groups with topics; empty: the general topic.',
      format: matches(/^[1-9]/, 'Enter the number of a topic.'),
    },
    ...placeFields(['chat_type', 'Kind of chat'], ['chat_name', 'Name']),
  ],
  check(settings) {
    if (/^(-?[1-9]\d{0,19}|@\w+)$/.test(settings.chat_id!)) return settings
    throw new Refusal('invalid', 'Enter the number of a chat, or the @name of a channel.', 'chat_id')
  },
  groups: true,
  limit: { perMinute: 6, key: ({ chat_id }) => chat_id! },
  describe({ chat_id, chat_name, chat_type }) {
    const name = chat_name || chat_id!
    return chat_type ? `${name} (${chat_type})` : name
  },
  async send(alert, to, transports) {
    const mark = alert.status === 'down' ? '🔴' : '🟢'
    const link = `\n\n${anchor(alert.checkUrl, 'View the check')}${acknowledge(alert)}`
    const room = MESSAGE_CHARACTERS - mark.length - 1 - link.length
    const text = htmlAlert(alert, to, room, output => `<pre>${output}</pre>`)
    const { acknowledgeToken: token } = alert
    const button = token === undefined ? {} : { reply_markup: acknowledgeKeyboard(token) }
    return await sendMessage(to, transports, `${mark} ${text}${link}`, button)
  },
  async notify(notice, to, transports) {
    const title = escapeHtml(clipMiddle(oneLine(notice.title), TITLE_CHARACTERS / 5))
    const room =
      MESSAGE_CHARACTERS - TITLE_CHARACTERS - 20 - escapeHtml(notice.url).length - acknowledge(notice).length
    const text = joinLinesWithin(noticeText(notice, htmlNotice).split('\n'), room)
    return await sendMessage(
      to,
      transports,
      `<b>${title}</b>\n${text}\n\n${escapeHtml(notice.url)}${acknowledge(notice)}`,
    )
  },
}

function anchor(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${text}</a>`
}

function acknowledge({ acknowledgeUrl }: Answerable): string {
  return acknowledgeUrl === undefined ? '' : ` · ${anchor(acknowledgeUrl, ANSWER_LABEL)}`
}

/** Sends a message. If the chat has a new ID, sends it again and returns the new ID. */
async function sendMessage(
  to: Destination,
  transports: Transports,
  text: string,
  more: object = {},
): Promise<Sent> {
  const { TELEGRAM_TOKEN: token } = to.operator
  if (!token) throw new DeliveryError('Telegram notifications are not enabled.')
  const { chat_id, thread_id } = to.settings
  const url = `https://api.telegram.org/bot${token}/sendMessage`
  const post = (chatId: string) => {
    const message = {
      chat_id: /^-?\d+$/.test(chatId) ? Number(chatId) : chatId,
      ...(thread_id ? { message_thread_id: Number(thread_id) } : {}),
      text,
      parse_mode: 'html',
      ...more,
    }
    return transports.http(postJson(url, message))
  }
  const answer = await post(chat_id!)
  const moved = jsonField(answer.body, 'parameters', 'migrate_to_chat_id')
  if (answer.status !== 400 || !/^-?\d{1,20}$/.test(moved)) {
    expectTaken(answer)
    return {}
  }
  const settings = { chat_id: moved }
  try {
    expectTaken(await post(moved))
  } catch (error) {
    throw error instanceof DeliveryError
      ? new DeliveryError(error.message, { ...error.options, settings })
      : error
  }
  return { settings }
}

function expectTaken(answer: HttpAnswer): void {
  const description = jsonField(answer.body, 'description')
  const seconds = Number(jsonField(answer.body, 'parameters', 'retry_after'))
  const later = answer.status === 429 && seconds > 0 ? { retryAfterMs: seconds * 1000 } : null
  if (answer.status < 400 || description === '') expectOk(answer)
  else {
    throw new DeliveryError(`Received status code ${answer.status} with a message: "${description}"`, {
      permanent: FINAL.includes(description),
      ...later,
    })
  }
}
