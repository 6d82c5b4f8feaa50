/** Incidents as pages, the API and the command line show them. Instants in ms. */
import type { CauseDetail } from './cause-detail.js'
import type { ClosedBy, Incident } from './incident.js'

/** A person has taken note: repeats and steps stop. `until`: when that ends; null: with the incident. */
export interface Acknowledgement {
  by: string
  at: number
  note: string
  until: number | null
}

/** The check of an incident. `uuid` and `uniqueKey` are null if it is not in the project any more. */
export interface IncidentCheck {
  uuid: string | null
  uniqueKey: string | null
  name: string
  tags: string
}

export interface ListedIncident extends Omit<Incident, 'flipId'> {
  id: number
  check: IncidentCheck
  /** What was known about the failure that opened it. */
  detail: CauseDetail
  /** The acknowledgement that counts now; null: there is none, or it has ended. */
  acknowledged: Acknowledgement | null
}

/** A channel in a timeline; null if it was deleted. */
export type TimelineChannel = { uuid: string; name: string; kind: string } | null

/** Something that happened to an incident. */
export type IncidentEntry = { at: number } & (
  | { type: 'opened' | 'reopened'; cause: string; detail: CauseDetail }
  | { type: 'closed'; by: ClosedBy }
  /** A message and the result of its last attempt: `error` is empty after a success, `Sending` while under way. */
  | {
      type: 'message'
      channel: TimelineChannel
      status: string
      attempts: number
      lastAt: number
      error: string
    }
  | { type: 'held'; channel: TimelineChannel; reason: string; text: string; until: number | null }
  | { type: 'dropped'; channel: TimelineChannel; reason: string; text: string }
  | { type: 'acknowledged'; by: string; note: string; until: number | null }
  | { type: 'unacknowledged'; by: string }
  | { type: 'note'; by: string; note: string }
)

/** Whether an acknowledgement counts at `now`. */
export function isAcknowledged(ack: { at: number | null; until: number | null }, now: number): boolean {
  return ack.at !== null && (ack.until === null || ack.until > now)
}
