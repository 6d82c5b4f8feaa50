/** Invented alerts and notices, for the pages and documents that show all messages. */
import { composeTestAlert } from '../../../actions/channels/compose-test-alert.js'
import type { Alert, AlertPing, Notice, Site } from '../../../core/alerts/alert.js'
import { type DigestLine, digestWords } from '../../../core/alerts/digest.js'
import { timeOfDay } from '../../../core/time/instant.js'
import type { AppDeps } from '../../deps.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The zone of the schedule. */
const ZONE = 'Europe/Zurich'

/** Markup, mentions and quotes of many kinds, and characters that terminals and screens would obey. */
const ODD = `Büro <b>1</b> & "2" *x* _y_ [z](https://example.com) @here \u202ereversed \u{1f525}`

const LONG_OUTPUT = Array.from({ length: 2000 }, (_, line) => `line ${line + 1}: copied`).join('\n')

/** Alerts by the name of the situation. */
export function sampleAlerts({
  delivery,
  clock,
}: Pick<AppDeps, 'delivery' | 'clock'>): Record<string, Alert> {
  const now = clock.now()
  const down = sample(composeTestAlert({ ...delivery, clock }, 'down'), now)
  const up = sample(composeTestAlert({ ...delivery, clock }, 'up'), now)
  const lastPing = pingOf(now)
  return {
    'down-late': {
      ...down,
      detail: { expectedAt: expectedBefore(now), graceSeconds: 3600, tz: ZONE },
      lastPing: { ...lastPing, body: null, at: now - 25 * HOUR_MS },
      acknowledgeUrl: `${delivery.site.root}/integrations/1/incidents/2/signature/`,
    },
    'down-failed': {
      ...down,
      flip: { ...down.flip, reason: 'failed' },
      check: { ...down.check, desc: 'Runs on db1 at night.\nIf it fails: https://wiki.example.org/backups' },
      lastPing: { ...lastPing, action: 'fail', exitStatus: 2, body: Buffer.from(OUTPUT) },
      otherChecks: 12,
      othersDownCount: 2,
      othersDown: [
        { label: 'Mirror of the package archive', lastPing: now - 3 * HOUR_MS },
        { label: 'Certificates', lastPing: null },
      ],
    },
    'down-by-mail': {
      ...down,
      flip: { ...down.flip, reason: 'failed' },
      lastPing: {
        ...lastPing,
        scheme: 'email',
        action: 'fail',
        body: Buffer.from('Subject: Backup FAILED\r\n\r\nNo space left.'),
        mail: { subject: 'Backup FAILED', text: 'No space left.' },
      },
    },
    'down-after-outage': {
      ...down,
      outage: {
        startedAt: now - 40 * MINUTE_MS,
        endedAt: now - 30 * MINUTE_MS,
        holdUntil: now - 20 * MINUTE_MS,
      },
      superseded: 2,
    },
    'down-long-names': {
      ...down,
      check: { ...down.check, name: 'nightly-'.repeat(12), tags: 'prod db '.repeat(10) },
      lastPing: { ...lastPing, action: 'fail', body: Buffer.from('x'.repeat(400)) },
    },
    'down-long-output': {
      ...down,
      flip: { ...down.flip, reason: 'failed' },
      lastPing: { ...lastPing, action: 'fail', body: Buffer.from(LONG_OUTPUT) },
    },
    'down-odd-characters': {
      ...down,
      check: { ...down.check, name: ODD, desc: ODD, tags: '*a* `b` <c>' },
      lastPing: { ...lastPing, action: 'fail', body: Buffer.from(`${ODD}\n</pre>\u001b[31mred\u001b[0m`) },
    },
    up: { ...up, downtimeMs: 92 * MINUTE_MS, lastPing, otherChecks: 3 },
    test: { ...composeTestAlert({ ...delivery, clock }, 'down') },
  }
}

/** When the ping was expected whose grace time ended a minute ago: the time of day of the schedule. */
function expectedBefore(now: number): number {
  return now - HOUR_MS - MINUTE_MS
}

function sample(alert: Alert, now: number): Alert {
  const [hour, minute] = timeOfDay(expectedBefore(now), ZONE).split(':')
  return {
    ...alert,
    test: false,
    flip: { ...alert.flip, createdAt: now - MINUTE_MS },
    check: {
      ...alert.check,
      name: 'Nightly backup',
      tags: 'prod db',
      kind: 'cron',
      schedule: `${Number(minute)} ${Number(hour)} * * *`,
      tz: ZONE,
    },
    project: { ...alert.project, name: 'Backups' },
  }
}

function pingOf(now: number): AlertPing {
  return {
    n: 42,
    action: 'success',
    at: now - 2 * MINUTE_MS,
    exitStatus: null,
    scheme: 'https',
    method: 'POST',
    remoteAddr: '192.0.2.7',
    ua: 'curl/8.5.0',
    durationMs: 725_000,
    body: null,
  }
}

const OUTPUT = `2026-01-15 02:00:01 begin
2026-01-15 02:11:54 dumping customers … 1,204,118 rows
2026-01-15 02:12:06 pg_dump: error: could not write to output file: No space left on device
${'-'.repeat(120)}
exit status 2`

/** Notices by the name of the situation. */
export function sampleNotices(site: Site, now: number): Record<string, Notice> {
  const notice = { type: 'notice' as const, now, site, url: site.root }
  return {
    'notice-disabled': {
      ...notice,
      title: 'The Webhook integration “Chat” was disabled',
      text: `${site.name} can no longer deliver through it: Received status code 410. Alerts will not go there until someone fixes and re-enables it.`,
    },
    'notice-flapping': {
      ...notice,
      status: 'down',
      title: 'Nightly backup is flapping: 12 changes in the last hour',
      text: 'It is DOWN now. The next alert is sent when it has been steady for 30 minutes.',
    },
    'notice-many': {
      ...notice,
      status: 'down',
      ...digestWords(
        Array.from({ length: 14 }, (_, index) => lineOf(index, now)),
        'Backups',
        now,
        { tz: 'Europe/Riga', root: site.root },
      ),
      acknowledgeUrl: `${site.root}/integrations/1/messages/2/signature/`,
    },
  }
}

function lineOf(index: number, now: number): DigestLine {
  const isUp = index === 13
  return {
    flipId: index,
    check: { name: `Backup of host ${index + 1}`, slug: '', uniqueKey: String(index).padStart(40, '0') },
    status: isUp ? 'up' : 'down',
    statusNow: isUp ? 'up' : 'down',
    reason: isUp ? '' : 'missed',
    at: now - index * MINUTE_MS,
    outage: null,
  }
}
