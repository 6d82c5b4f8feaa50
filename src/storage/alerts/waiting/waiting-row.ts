/** A delivery that waits, as the plan of its channel's messages needs it. */
import type { Selectable } from 'kysely'
import type { ClosingEnd, Notice } from '../../../core/alerts/alert.js'
import type { Change, ChangeStatus } from '../../../core/alerts/delivery/change.js'
import type { Flapping } from '../../../core/alerts/delivery/flapping.js'
import type { Reported } from '../../../core/alerts/delivery/reconcile.js'
import type { Check, StoredStatus } from '../../../core/checks/check.js'
import type { Flip, FlipReason } from '../../../core/checks/flip.js'
import { isAcknowledged } from '../../../core/incidents/listed-incident.js'
import type { Tables } from '../../tables.js'
import type { ChannelNotice } from '../channel-notices.js'
import type { MayBeHeld } from '../holds/held.js'

/** A waiting notice. The text of a notice about a limit is written when it is sent, by the recipient's clock. */
export type WaitingNotice =
  | (Omit<Notice, 'now' | 'site'> & Pick<ChannelNotice, 'about' | 'fallback'>)
  | { type: 'limit'; holds: 'all' | 'all but down alerts'; hourly: number; until: number }

/** The content of a closing message for a check that was deleted or is not linked to the channel any more. */
export interface Closing {
  check: Check
  project: { id: number; uuid: string; name: string }
  at: number
  end: ClosingEnd
  /**
   * Whether the check was reported down; false if it may have been. For a check that still exists the
   * table `reported` tells this.
   */
  reported: boolean
}

/** A row of deliveries with the facts about its check and channel. */
export interface WaitingRow {
  id: number
  uuid: string
  channelId: number
  groupId: number | null
  checkId: number | null
  flipId: number | null
  flip: Flip | null
  notice: WaitingNotice | null
  closing: Closing | null
  /** Its claim ran out. The message may have arrived, so it counts as an attempt. */
  abandoned: boolean
  /** Since when there has been something to send, and the number of attempts. */
  createdAt: number
  attempts: number
  /** See `Change`. */
  charged: number
  /** What was last reported about the check. */
  reported: Reported
  flapping: Flapping | null
  /** Whether the check is down now, and whether the channel is linked to it. */
  isDown: boolean
  isTarget: boolean
  /** The check's last ping (ms), if it has had one. */
  lastPing: number | null
  /** Its incident; null for a notice, and for a check that was deleted. */
  incidentId: number | null
  /** When that was opened; null if it is not kept any more. */
  incidentOpenedAt: number | null
  /** When it ended; null: it is open, or not kept any more. */
  incidentClosedAt: number | null
  isAcknowledged: boolean
  /** What may hold its down alerts; see holds/held.ts. */
  mayBeHeld: MayBeHeld
  /** Null for a notice. */
  change: Change | null
}

/** What is known about the check of a delivery. */
interface CheckFacts {
  flip_at: number | null
  old_status: string | null
  new_status: string | null
  reason: string | null
  flapping_at: number | null
  flapping_changed_at: number | null
  reported_flip: number | null
  check_status: string | null
  last_ping: number | null
  is_target: number
  project_id: number | null
  opened_at: number | null
  closed_at: number | null
  ack_at: number | null
  ack_until: number | null
  has_silences: number
  has_parents: number
}

/** Of a delivery that is about no check. */
export const NO_CHECK: CheckFacts = {
  flip_at: null,
  old_status: null,
  new_status: null,
  reason: null,
  flapping_at: null,
  flapping_changed_at: null,
  reported_flip: null,
  check_status: null,
  last_ping: null,
  is_target: 1,
  project_id: null,
  opened_at: null,
  closed_at: null,
  ack_at: null,
  ack_until: null,
  has_silences: 0,
  has_parents: 0,
}

export function toWaiting(row: Selectable<Tables['deliveries']> & CheckFacts, now: number): WaitingRow {
  const abandoned = row.claimed_by !== null
  const closing = row.closing === null ? null : (JSON.parse(row.closing) as Closing)
  const flip: Flip | null =
    row.flip_at === null
      ? null
      : {
          createdAt: row.flip_at,
          oldStatus: row.old_status as StoredStatus,
          newStatus: row.new_status as StoredStatus,
          reason: row.reason as FlipReason,
        }
  return {
    id: row.id,
    uuid: row.uuid,
    channelId: row.channel_id,
    groupId: row.group_id,
    checkId: row.check_id,
    flipId: row.flip_id,
    flip,
    notice: row.notice === null ? null : JSON.parse(row.notice),
    closing,
    abandoned,
    createdAt: row.created_at,
    attempts: row.attempts + (abandoned ? 1 : 0),
    charged: chargedOf(row),
    reported: closing?.reported
      ? { flipId: 0 }
      : row.reported_flip === null
        ? null
        : { flipId: row.reported_flip },
    flapping:
      row.flapping_at === null || row.flapping_changed_at === null
        ? null
        : { reportedAt: row.flapping_at, changedAt: row.flapping_changed_at },
    isDown: row.check_status === 'down',
    isTarget: row.is_target === 1,
    lastPing: row.last_ping,
    incidentId: row.incident_id,
    incidentOpenedAt: row.opened_at,
    incidentClosedAt: row.closed_at,
    isAcknowledged: isAcknowledged({ at: row.ack_at, until: row.ack_until }, now),
    mayBeHeld: {
      projectId: row.project_id,
      silences: row.has_silences === 1,
      parents: row.has_parents === 1,
    },
    change:
      row.notice !== null
        ? null
        : {
            id: row.id,
            status: closing ? 'deleted' : ((row.new_status ?? 'up') as ChangeStatus),
            flipId: row.flip_id,
            at: row.flip_at ?? row.created_at,
            attempts: row.attempts + (abandoned ? 1 : 0),
            charged: chargedOf(row),
            heldBy: row.held_by,
            delayed: row.delayed === 1,
            superseded: row.superseded,
            missed: row.missed === 1,
            createdAt: row.created_at,
            again: row.again,
          },
  }
}

/** The number of the counted message; see the tables. */
function chargedOf({ id, charged }: Pick<Selectable<Tables['deliveries']>, 'id' | 'charged'>): number {
  return charged === 1 ? -id : charged
}
