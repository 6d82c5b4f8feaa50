import type { Operator } from '../../setup.js'
import type { HttpRequest } from '../../transports.js'

/** The request that calls a method of the Bot API. */
export function callBot(operator: Operator, method: string, body: object): HttpRequest {
  return {
    method: 'POST',
    url: `https://api.telegram.org/bot${operator.TELEGRAM_TOKEN}/${method}`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    // Contains the webhook secret, or a link that connects a chat.
    secretBody: true,
    keepBytes: 1_048_576,
  }
}
