/** Why an alert was held, delayed or not sent, in words for people. */
import type { DropReason, HoldReason } from '../alerts/delivery/change.js'

const HOLDS: Record<HoldReason, string> = {
  silence: 'silence',
  dependency: 'a check on which it depends',
  outage: 'Punctual may have missed a ping of the check',
  acknowledged: 'the incident is acknowledged',
  flapping: 'the check is flapping',
  quota: 'the monthly limit of the account is used up',
  minute: 'the limit of messages a minute',
  hour: 'the limit of messages an hour',
  receiver: 'the rate limit of the receiver',
  unreachable: 'the integration cannot be reached',
  unknown: 'this version does not know the integration’s kind',
}

/** What holds or delays an alert: `text` if it names the silences and checks, else words for the reason. */
export function heldWords({ reason, text }: { reason: string; text: string }): string {
  return text || HOLDS[reason as HoldReason] || reason
}

const DROPS: Record<DropReason, string> = {
  unwanted: 'the integration wants no such alerts',
  superseded: 'a newer change replaced it',
  held: 'the incident was over before the hold ended',
  closed: 'the check was paused before',
  over: 'the check was not down any more',
  unlinked: 'the integration is not linked to the check any more',
  acknowledged: 'the incident is acknowledged',
  unreported: 'the down alert was not sent either',
  reported: 'it was sent before',
  'too-late': 'it could not be sent for a day',
  unusable: 'the integration cannot be used',
}

/** Why an alert was not sent. `text`: its status, or `step` or `repeat`, which only say again that the check is down. */
export function droppedWords({ reason, text }: { reason: string; text: string }): string {
  const isAgain = text === 'step' || text === 'repeat'
  if (isAgain && reason === 'held') return 'alerts are held'
  return DROPS[reason as DropReason] ?? reason
}
