/** The columns with instants, and how they are repaired after a clock that was ahead. */

/** Instants that something waits for or counts from: those in the future move back with the clock. */
export const SET_BACK = {
  channels: ['created_at', 'last_notify', 'recipient_since', 'unreachable_at', 'probe_at'],
  flapping: ['reported_at', 'changed_at'],
  reported: ['reported_at'],
  deliveries: ['created_at'],
  mails: ['due_at', 'claimed_until', 'created_at'],
  flips: ['created_at', 'since_at'],
  passed_deadlines: ['passed_at', 'since_at'],
  incidents: ['opened_at', 'since_at', 'down_at', 'closed_at'],
  incident_channels: ['look_at', 'clock_at'],
} as const

const LOG = 'says when something happened, by the clock as it was; nothing counts from it'
const PLANNED = 'is planned anew when it comes; at most it comes late by as much as the clock was ahead'
const ENDS = 'ends access; at most it ends late by as much as the clock was ahead'
const CHOSEN = 'an instant that a person chose'
const OWN = 'repaired by a statement of its own'

/** Why the other columns are not in {@link SET_BACK}. */
export const NOT_SET_BACK: Readonly<Record<string, string>> = {
  'api_keys.created_at': LOG,
  'beats.beat_at': OWN,
  'beats.heard_at': OWN,
  'beats.heard_from': OWN,
  'channels.down_announced': OWN,
  'channels.hour_from': OWN,
  'channels.minute_from': OWN,
  'channels.other_announced': OWN,
  'check_details.created_at': LOG,
  'checks.alert_after': 'computed anew by the watcher',
  'checks.due_at': 'computed anew by the watcher',
  'checks.last_ping': OWN,
  'checks.last_start': OWN,
  'checks.status_since': OWN,
  'checks.wake_at': OWN,
  'deliveries.claimed_until': OWN,
  'deliveries.due_at': OWN,
  'identities.created_at': LOG,
  'identities.used_at': LOG,
  'incident_events.created_at': LOG,
  'incident_events.until_at': LOG,
  'incidents.ack_at': LOG,
  'incidents.ack_until': CHOSEN,
  'invitations.created_at': LOG,
  'invitations.expires_at': ENDS,
  'members.created_at': LOG,
  'members.transfer_requested_at': LOG,
  'migrations.applied_at': LOG,
  'notifications.created_at': LOG,
  'outages.ended_at': OWN,
  'outages.hold_until': OWN,
  'outages.started_at': OWN,
  'passkeys.created_at': LOG,
  'passkeys.used_at': LOG,
  'pings.created_at': LOG,
  'policies.created_at': LOG,
  'projects.created_at': LOG,
  'rate_limits.full_at': 'counts as at most empty, see rate-limits.ts',
  'removals.due_at': OWN,
  'sessions.created_at': LOG,
  'sessions.expires_at': ENDS,
  'sessions.proved_at': ENDS,
  'sessions.seen_at': LOG,
  'silences.created_at': LOG,
  'silences.ended_at': CHOSEN,
  'silences.from_at': CHOSEN,
  'silences.over_at': CHOSEN,
  'silences.to_at': CHOSEN,
  'tokens.expires_at': ENDS,
  'uploads.due_at': OWN,
  'users.created_at': LOG,
  'users.disabled_at': LOG,
  'users.email_proven_at': LOG,
  'users.next_nag_at': PLANNED,
  'users.next_report_at': PLANNED,
}
