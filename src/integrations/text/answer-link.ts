/** The link in a message to the page on which readers acknowledge and silence what it is about. */
import type { Alert, Notice } from '../../core/alerts/alert.js'

/** A message that may have the link. */
export type Answerable = Pick<Alert | Notice, 'acknowledgeUrl'>

export const ANSWER_LABEL = 'Acknowledge or snooze'

/** A text with the link in Markdown on a line of its own, if there is one. */
export function withAnswerLink(text: string, { acknowledgeUrl: url }: Answerable): string {
  const link = url === undefined ? '' : `[${ANSWER_LABEL}](${url})`
  return [text, link].filter(line => line !== '').join('\n')
}

/** The link as plain text; empty if there is none. */
export function answerLine({ acknowledgeUrl: url }: Answerable): string {
  return url === undefined ? '' : `${ANSWER_LABEL}: ${url}`
}
