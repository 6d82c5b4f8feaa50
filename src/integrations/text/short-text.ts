import type { Alert, Notice } from '../../core/alerts/alert.js'
import { oneLine } from '../../core/text/clean-text.js'
import { isStill, lastPingWords } from './alert-text.js'
import { label } from './chat-text.js'
import { clip, clipMiddle } from './clip.js'
import { summary, why } from './incident-text.js'

const NAME_CHARACTERS = 60
const TITLE_CHARACTERS = 120
const NOTICE_CHARACTERS = 300

/**
 * An alert as a text message: which check, why, the last ping, and a link. Messages are paid for by segment; with a name
 * of usual length, it takes two.
 */
export function smsAlert(alert: Alert): string {
  const said = `${summary(alert, clip(label(alert), NAME_CHARACTERS))}.`
  const heard = alert.status === 'down' ? ` Last ping: ${lastPingWords(alert)}.` : ''
  return `${said}${heard} ${alert.checkUrl}`
}

/** A notice as a text message. */
export function smsNotice(notice: Notice): string {
  const said = `${clipMiddle(oneLine(notice.title), TITLE_CHARACTERS)}. ${oneLine(notice.text)}`
  return `${clip(said, NOTICE_CHARACTERS)} ${notice.url}`
}

/** An alert to be read out by a voice. */
export function spokenAlert(alert: Alert): string {
  const from = `A message from ${alert.site.name}.`
  const test = alert.test ? ' This is a test.' : ''
  const reason = alert.test || why(alert) === '' ? '' : ` Reason: ${why(alert)}.`
  return `${from}${test} The check ${clip(label(alert), NAME_CHARACTERS)} is ${isStill(alert)}${alert.status}.${reason}`
}
