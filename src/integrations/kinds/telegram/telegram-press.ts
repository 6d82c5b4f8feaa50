/** Presses of the button under alerts. Source: Telegram's Bot API, `CallbackQuery`, `answerCallbackQuery`, `editMessageText`. */
import { z } from 'zod'
import { oneLine } from '../../../core/text/clean-text.js'
import type { ButtonPress, Operator } from '../../setup.js'
import { clip } from '../../text/clip.js'
import { callBot } from './call-bot.js'

/** Source: the Bot API, `answerCallbackQuery`, and `editMessageText`. */
const ANSWER_CHARACTERS = 200
const MESSAGE_CHARACTERS = 4096

const NAME_CHARACTERS = 80

const query = z.object({
  id: z.string(),
  from: z.object({
    first_name: z.string(),
    last_name: z.string().optional(),
    username: z.string().optional(),
  }),
  // Without a text it is too old to be shown to bots, an `InaccessibleMessage`.
  message: z
    .object({
      message_id: z.number().int(),
      chat: z.object({ id: z.number().int(), username: z.string().optional() }),
      text: z.string().optional(),
      entities: z.array(z.looseObject({})).optional(),
    })
    .optional(),
  data: z.string().optional(),
})

const update = z.object({ callback_query: query })

/** A press of a button under a message of the bot, with the keyboard of {@link acknowledgeKeyboard}. */
export function parsePress(heard: unknown, operator: Operator): ButtonPress | null {
  const { id, from, message, data } = update.safeParse(heard).data?.callback_query ?? {}
  if (id === undefined || from === undefined) return null
  return {
    token: data ?? '',
    by: `${nameOf(from)} (Telegram)`,
    isFrom: ({ chat_id }) => message !== undefined && isChat(message.chat, chat_id ?? ''),
    answer: (text, refused) =>
      callBot(operator, 'answerCallbackQuery', {
        callback_query_id: id,
        text: clip(text, ANSWER_CHARACTERS),
        ...(refused ? { show_alert: true } : {}),
      }),
    close(line) {
      if (message?.text === undefined) return null
      const { chat, message_id, text, entities } = message
      const longer = `${text}\n\n${line}`
      const at = { chat_id: chat.id, message_id }
      return longer.length > MESSAGE_CHARACTERS
        ? callBot(operator, 'editMessageReplyMarkup', at)
        : callBot(operator, 'editMessageText', { ...at, text: longer, entities: entities ?? [] })
    },
  }
}

/** The button under an alert, which reports `token`, at most 64 bytes. */
export function acknowledgeKeyboard(token: string): object {
  return { inline_keyboard: [[{ text: 'Acknowledge', callback_data: token }]] }
}

function nameOf({ first_name, last_name = '', username = '' }: z.infer<typeof query>['from']): string {
  return clip(oneLine(`${first_name} ${last_name}`) || oneLine(username) || 'Somebody', NAME_CHARACTERS)
}

function isChat(chat: { id: number; username?: string | undefined }, configured: string): boolean {
  if (!configured.startsWith('@')) return configured === String(chat.id)
  return chat.username !== undefined && configured.slice(1).toLowerCase() === chat.username.toLowerCase()
}
