import type { Generated } from 'kysely'
import type { Again, HoldReason } from '../../core/alerts/delivery/change.js'
import type { FollowUpColumns } from './follow-ups/follow-up.js'

type Bit = 0 | 1

export interface AlertTables {
  deliveries: {
    id: Generated<number>
    uuid: string
    channel_id: number
    check_id: number | null
    flip_id: number | null
    group_id: number | null
    notice: string | null
    superseded: Generated<number>
    attempts: Generated<number>
    /**
     * The number of the message with it that a monthly quota has counted, random and the same for all its deliveries; 0: none; 1: its
     * own, counted by a version before the numbers.
     */
    charged: Generated<number>
    held_by: Generated<HoldReason | null>
    /** Set if nothing changed, but an open incident is sent once more. */
    again: Generated<Again | null>
    incident_id: Generated<number | null>
    /** Whether a limit ever delayed it. */
    delayed: Generated<Bit>
    missed: Generated<Bit>
    /** Whether it is made due when something else arrives; see the migration. */
    follows: Generated<0 | 1 | 2>
    closing: Generated<string | null>
    due_at: number
    /** When it was due before a pause that can be undone postponed it. */
    due_before: Generated<number | null>
    claimed_by: string | null
    claimed_until: number | null
    created_at: number
  }
  notifications: {
    id: Generated<number>
    uuid: string
    delivery_uuid: string | null
    channel_id: number
    check_id: number | null
    flip_id: number | null
    check_status: string
    attempt: number
    created_at: number
    duration: number | null
    error: Generated<string>
    message_uuid: Generated<string | null>
    incident_id: Generated<number | null>
    kept: Generated<Bit>
  }
  flapping: { check_id: number; channel_id: number; reported_at: number; changed_at: number }
  reported: { check_id: number; channel_id: number; flip_id: number; reported_at: number }
  follow_ups: FollowUpColumns
}
