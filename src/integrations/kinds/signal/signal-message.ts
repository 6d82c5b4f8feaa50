/** A Signal message: the text, and the styles of its parts. */

import type { Alert, Notice } from '../../../core/alerts/alert.js'
import { cause, notes, otherChecks, outputTail } from '../../text/alert-text.js'
import { type Answerable, answerLine } from '../../text/answer-link.js'
import { chatFacts, description, noticeText, title } from '../../text/chat-text.js'

export interface SignalMessage {
  message: string
  /** `start:length:STYLE`, in UTF-16 units. */
  textStyle: string[]
}

type Style = 'BOLD' | 'MONOSPACE'
type Piece = string | readonly [text: string, style: Style]

const OUTPUT_CHARACTERS = 1_000

export function alertMessage(alert: Alert, tz: string): SignalMessage {
  const others = otherChecks(alert, tz)
  const output = outputTail(alert, OUTPUT_CHARACTERS)
  const tail = output.text.trimEnd()
  const facts = chatFacts(alert, tz).filter(({ label }) => label !== 'Description')
  return joinPieces([
    [title(alert), 'BOLD'],
    ...[cause(alert, tz), ...notes(alert, tz)].filter(text => text !== '').map(text => `\n${text}`),
    ...(description(alert) === '' ? [] : ['\n\n', description(alert)]),
    '\n',
    ...facts.map(({ label, value }) => `\n${label}: ${value}`),
    ...(tail === ''
      ? []
      : [output.cut ? '\n\nThe end of its output:\n' : '\n\nOutput:\n', [tail, 'MONOSPACE'] as const]),
    ...(others ? [`\n\n${others.text}`, ...others.items.map(item => `\n- ${item}`)] : []),
    `\n\n${alert.checkUrl}`,
    ...answerPieces(alert),
  ])
}

export function noticeMessage(notice: Notice): SignalMessage {
  return joinPieces([
    [notice.title, 'BOLD'],
    `\n${noticeText(notice)}\n\n${notice.url}`,
    ...answerPieces(notice),
  ])
}

function answerPieces(about: Answerable): string[] {
  const line = answerLine(about)
  return line === '' ? [] : [`\n\n${line}`]
}

/** The message with the code by which a recipient consents to alerts. */
export function codeMessage(code: string, siteName: string): SignalMessage {
  return joinPieces([
    [code, 'BOLD'],
    ` is your code to receive alerts from ${siteName}.\n`,
    'If you did not request it, ignore this message.',
  ])
}

function joinPieces(pieces: readonly Piece[]): SignalMessage {
  let message = ''
  const textStyle: string[] = []
  for (const piece of pieces) {
    const [text, style] = typeof piece === 'string' ? [piece, null] : piece
    if (style !== null) textStyle.push(`${message.length}:${text.length}:${style}`)
    message += text
  }
  return { message, textStyle }
}
