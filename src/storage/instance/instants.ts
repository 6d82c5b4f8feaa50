/** The columns with instants, and how they are repaired after a clock that was ahead. */

/** Instants that something waits for or counts from: those in the future move back with the clock. */
export const SET_BACK = {
  channels: [
    'created_at',
    'last_notify',
    'test_failed_at',
    'recipient_since',
    'unreachable_at',
    'unknown_since',
    'bounced_at',
    'probe_at',
  ],
  flapping: ['reported_at', 'changed_at'],
  reported: ['reported_at'],
  deliveries: ['created_at', 'due_before'],
  counted_messages: ['claimed_until'],
  mails: ['due_at', 'claimed_until', 'created_at', 'failing_since', 'sent_at'],
  flips: ['created_at', 'since_at'],
  passed_deadlines: ['passed_at', 'since_at'],
  incidents: ['opened_at', 'since_at', 'down_at', 'closed_at', 'release_at'],
  incident_channels: ['look_at', 'clock_at'],
  silences: ['changed_at', 'ended_at'],
  undos: ['made_at', 'until_at'],
  rate_limits: ['full_at'],
  event_webhooks: ['due_at', 'claimed_until', 'failing_since'],
} as const

const LOG = 'says when something happened, by the clock as it was; nothing counts from it'
const PLANNED = 'is planned anew when it comes; at most it comes late by as much as the clock was ahead'
const ENDS = 'ends access; at most it ends late by as much as the clock was ahead'
const CHOSEN = 'an instant that a person chose'
/** Those that are repaired by a statement of their own. */
export const OWN = 'repaired by a statement of its own'

/** Why the other columns are not in {@link SET_BACK}. */
export const NOT_SET_BACK: Readonly<Record<string, string>> = {
  'api_keys.created_at': LOG,
  'api_requests.created_at':
    'when an answer is forgotten; at most that comes late by as much as the clock was ahead',
  'api_tokens.created_at': LOG,
  'api_tokens.expires_at': ENDS,
  'api_tokens.used_at': LOG,
  'beats.beat_at': OWN,
  'beats.heard_at': OWN,
  'beats.heard_from': OWN,
  'channels.down_announced': OWN,
  'channels.hour_from': OWN,
  'channels.minute_from': OWN,
  'channels.other_announced': OWN,
  'check_details.created_at': LOG,
  'config_objects.begins_at': CHOSEN,
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
  'event_attempts.created_at': LOG,
  'event_webhooks.created_at': LOG,
  'event_webhooks.last_sent': LOG,
  'events.created_at': LOG,
  'incident_events.created_at': LOG,
  'incident_events.until_at': LOG,
  'incidents.ack_at': LOG,
  'incidents.ack_until': CHOSEN,
  'invitations.created_at': LOG,
  'invitations.expires_at': ENDS,
  'members.created_at': LOG,
  'members.transfer_requested_at': LOG,
  'migrations.applied_at': LOG,
  'notifications.created_at':
    'says when something happened, by the clock as it was; what e-mails about quotas named by it is noted',
  'outages.ended_at': OWN,
  'outages.hold_until': OWN,
  'outages.started_at': OWN,
  'passkeys.created_at': LOG,
  'passkeys.used_at': LOG,
  'pings.created_at': LOG,
  'pings.ran_at': LOG,
  'policies.created_at': LOG,
  'projects.created_at': LOG,
  'removals.due_at': OWN,
  'sessions.created_at': LOG,
  'sessions.expires_at': ENDS,
  'sessions.proved_at': ENDS,
  'sessions.seen_at': LOG,
  'silences.created_at': LOG,
  'silences.from_at': CHOSEN,
  'silences.over_at': OWN,
  'silences.to_at': CHOSEN,
  'tokens.expires_at': ENDS,
  'uploads.due_at': OWN,
  'users.created_at': LOG,
  'users.disabled_at': LOG,
  'users.email_proven_at': LOG,
  'users.totp_step': 'a code of a step is accepted once, also when that step comes again',
  'users.next_nag_at': PLANNED,
  'users.next_report_at': PLANNED,
}

/** The texts that hold instants: those with {@link OWN} are brought back by set-back-texts.ts. */
export const IN_TEXTS: Readonly<Record<string, string>> = {
  'beats.behind': OWN,
  'checks.tracking': OWN,
  'mails.about': OWN,
  'meta.value': OWN,
  'silences.earlier': OWN,
  'deliveries.closing': LOG,
  'events.after': LOG,
  'incidents.detail': LOG,
  'undos.change':
    'is taken back only while the check is as it left it, which one that was brought back is not',
}
