import type { Alert, Notice } from '../../core/alerts/alert.js'
import { reasonText } from '../../core/alerts/down-reason.js'
import { oneLine } from '../../core/text/clean-text.js'
import { sentence } from '../../core/text/sentence.js'
import { sinceWords, stateWords } from './alert-text.js'
import { label, noticeText } from './chat-text.js'
import { clip, clipMiddle } from './clip.js'
import { exitStatus, isMissedWithTimes } from './down-reason.js'
import { summary } from './incident-text.js'

const NAME_CHARACTERS = 60
const TITLE_CHARACTERS = 120
const NOTICE_CHARACTERS = 300

/**
 * An alert as a text message: which check, why, since when, and a link. Messages are paid for by segment; with a name
 * of usual length, it takes two.
 */
export function smsAlert(alert: Alert, tz: string): string {
  const said = `${summary(alert, tz, clip(label(alert), NAME_CHARACTERS))}.`
  const since = alert.test || isMissedWithTimes(alert) ? '' : ` ${sinceWords(alert, tz)}.`
  return `${said}${since} ${alert.checkUrl}`
}

/** A notice as a text message. */
export function smsNotice(notice: Notice): string {
  const said = `${clipMiddle(oneLine(notice.title), TITLE_CHARACTERS)}. ${oneLine(noticeText(notice))}`
  return `${clip(said, NOTICE_CHARACTERS)} ${notice.url}`
}

/** An alert to be read out by a voice. */
export function spokenAlert(alert: Alert): string {
  const from = `A message from ${alert.site.name}.`
  const test = alert.test ? ' This is a test.' : ''
  // Without times, which a voice does not read well.
  const hasReason = alert.test || exitStatus(alert) !== null
  const reason = hasReason ? '' : sentence(reasonText(alert.flip))
  const state = stateWords(alert).toLowerCase()
  return `${from}${test} The check ${clip(label(alert), NAME_CHARACTERS)} is ${state}.${reason && ` ${reason}`}`
}
