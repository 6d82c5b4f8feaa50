/**
 * Users send `/start` to the bot, which answers with a link, and press the button under its alerts. Source:
 * https://core.telegram.org/bots/api
 */
import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { readAnswer } from '../../http/read-answer.js'
import { DeliveryError, type OperatorSetting } from '../../integration.js'
import type { Invitation } from '../../setup.js'
import type { HttpAnswer } from '../../transports.js'
import { callBot } from './call-bot.js'
import { parsePress } from './telegram-press.js'

export const telegramSettings: readonly OperatorSetting[] = [
  {
    name: 'TELEGRAM_WEBHOOK_SECRET',
    secret: true,
    help: 'A secret of letters, digits, `_` and `-` with which Telegram authenticates its webhook calls; run `punctual telegram webhook` after setting it. Empty: Punctual polls Telegram, which also works if Telegram cannot reach this installation.',
  },
]

const said = z.object({
  chat: z.object({
    id: z.number().int(),
    type: z.enum(['private', 'group', 'supergroup', 'channel']),
    title: z.string().optional(),
    username: z.string().optional(),
    first_name: z.string().optional(),
  }),
  text: z.string(),
  message_thread_id: z.number().int().optional(),
  is_topic_message: z.boolean().optional(),
})

const update = z.object({ message: said.optional(), channel_post: said.optional() })

const answered = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  result: z.unknown().optional(),
})

const updates = z.array(z.looseObject({ update_id: z.number().int() }))

/** The kinds of updates to receive. */
const KINDS = ['message', 'channel_post', 'callback_query']

export const telegramSetup: Invitation = {
  way: 'invite',
  fixed: ['chat_id', 'thread_id', 'chat_type', 'chat_name'],
  steps: ({ TELEGRAM_BOT_NAME: bot }) => [
    `Open \`@${bot}\` in Telegram and press Start; in a group or channel, add the bot and write \`/start@${bot}\`.`,
    'It answers with a link, which works for ten minutes. Open it.',
    'Choose the project.',
  ],
  botUrl: ({ TELEGRAM_BOT_NAME: bot }) => `https://t.me/${encodeURIComponent(bot ?? '')}`,
  isAuthentic(headers, { TELEGRAM_WEBHOOK_SECRET: secret = '' }) {
    const given = Buffer.from(headers['x-telegram-bot-api-secret-token'] ?? '')
    const expected = Buffer.from(secret)
    return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
  },
  parseStart(heard, operator) {
    const { message, channel_post } = update.safeParse(heard).data ?? {}
    const post = message ?? channel_post
    if (!post || !isStart(post.text, operator.TELEGRAM_BOT_NAME ?? '')) return null
    const { id, type, title, username, first_name } = post.chat
    const thread = post.is_topic_message ? post.message_thread_id : undefined
    return {
      settings: {
        chat_id: String(id),
        thread_id: thread === undefined ? '' : String(thread),
        chat_type: type,
        chat_name: (title ?? username ?? first_name ?? '').slice(0, 100),
      },
      answer: link =>
        callBot(operator, 'sendMessage', {
          chat_id: id,
          ...(thread === undefined ? {} : { message_thread_id: thread }),
          text: `To get alerts here when checks go down, open this link within ten minutes and choose a project:\n\n${link}`,
          link_preview_options: { is_disabled: true },
        }),
    }
  },
  parsePress,
  poll: {
    isWanted: ({ TELEGRAM_TOKEN: token, TELEGRAM_WEBHOOK_SECRET: secret }) => Boolean(token) && !secret,
    next: (offset, timeout, operator) =>
      callBot(operator, 'getUpdates', { offset, timeout, allowed_updates: KINDS }),
    read(answer, offset) {
      const reason = refusal(answer)
      if (reason !== null) throw new DeliveryError(reason)
      const { result } = readAnswer(answered, answer)
      const heard = readAnswer(updates, { status: 200, body: JSON.stringify(result) })
      return { updates: heard, offset: Math.max(offset, ...heard.map(({ update_id }) => update_id + 1)) }
    },
  },
  setWebhookRequest: (url, operator) =>
    url === null
      ? callBot(operator, 'deleteWebhook', {})
      : callBot(operator, 'setWebhook', {
          url,
          secret_token: operator.TELEGRAM_WEBHOOK_SECRET,
          allowed_updates: KINDS,
        }),
  refusal,
}

/** Whether a text is `/start`, optionally with the name of this bot, and anything after it. */
function isStart(text: string, bot: string): boolean {
  const [, named] = /^\/start(?:@(\w+))?(?:\s|$)/.exec(text) ?? [null, null]
  if (named === null) return false
  return named === undefined || named.toLowerCase() === bot.toLowerCase()
}

function refusal(answer: HttpAnswer): string | null {
  const { ok, description } = readAnswer(answered, answer)
  if (ok && answer.status === 200) return null
  return `Telegram answered: ${(description ?? `status code ${answer.status}`).slice(0, 150)}`
}
