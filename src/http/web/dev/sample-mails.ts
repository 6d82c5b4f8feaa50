/** A sample of every e-mail, created by the code that creates the real ones, with invented contents. */

import { composeTestAlert } from '../../../actions/channels/compose-test-alert.js'
import { linkNote, sendMail } from '../../../actions/people/mail/send-link.js'
import type { Alert, AlertPing, Notice, Site } from '../../../core/alerts/alert.js'
import {
  acceptWords,
  addressChangedWords,
  confirmationWords,
  invitationWords,
  knownAddressWords,
  type LinkWords,
  newAddressWords,
  offerWords,
  proveAddressWords,
  signInWords,
  signUpWords,
} from '../../../core/people/mail-words.js'
import {
  addedSecondStepNotice,
  handedOverNotice,
  newIdentityNotice,
  passwordNotice,
  recoveryCodeNotice,
  removedSecondStepNotice,
} from '../../../core/people/security-notices.js'
import type { Destination } from '../../../integrations/integration.js'
import { email } from '../../../integrations/kinds/email.js'
import type { Transports } from '../../../integrations/transports.js'
import type { Mail } from '../../../lib/mail/mailer.js'
import { type NagEmail, nagHtml, nagPlain } from '../../../views/emails/nag.js'
import { type ReportEmail, reportHtml, reportPlain } from '../../../views/emails/report.js'
import type { AppDeps } from '../../deps.js'

const ALICE = { email: 'alice@example.org', emailProven: true }
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The e-mails by their names in addresses. */
export async function sampleMails(deps: Pick<AppDeps, 'delivery' | 'clock'>): Promise<Map<string, Mail>> {
  const { site } = deps.delivery
  const made = new Map<string, Mail>()
  const make = async (name: string, send: (keep: (mail: Mail) => Promise<void>) => Promise<unknown>) => {
    await send(async mail => void made.set(name, mail))
  }
  for (const [name, alert] of Object.entries(alerts(deps))) {
    await make(name, keep => email.send(alert, DESTINATION, transportsOf(keep)))
  }
  for (const [name, notice] of Object.entries(notices(site, deps.clock.now()))) {
    await make(name, keep => email.notify!(notice, DESTINATION, transportsOf(keep)))
  }
  for (const [name, words] of Object.entries(linkMails(site))) {
    const mail = { to: 'alice@example.org', url: `${site.root}/accounts/link/${'k3Zd9'.repeat(8)}/` }
    const note = words.note ?? linkNote(3_600)
    await make(name, keep => sendMail({ mailer: { send: keep }, site }, { ...mail, ...words, note }))
  }
  for (const [name, mail] of Object.entries(summaries(site))) made.set(name, mail)
  return made
}

function transportsOf(keep: (mail: Mail) => Promise<void>): Transports {
  const closed = () => Promise.reject(new Error('a sample goes nowhere'))
  return { mail: keep, http: closed, run: closed, rpc: closed }
}

const DESTINATION: Destination = {
  uuid: '00000000-0000-4000-8000-000000000000',
  name: '',
  settings: { value: 'alice@example.org', down: 'true', up: 'true' },
  idempotencyKey: '00000000-0000-4000-8000-000000000001',
  unsubscribeUrl: '#unsubscribe',
  statusUrl: '#status',
  timeZone: 'Europe/Zurich',
  projects: [
    { name: 'Backups', down: 2 },
    { name: 'Customer reports of the whole company, with a name that is rather long', down: 0 },
    { name: '', down: 0 },
  ],
  operator: {},
}

function alerts({ delivery, clock }: Pick<AppDeps, 'delivery' | 'clock'>): Record<string, Alert> {
  const now = clock.now()
  const down = sample(composeTestAlert(delivery, 'down'), now)
  const up = sample(composeTestAlert(delivery, 'up'), now)
  const lastPing = pingOf(now)
  return {
    'down-late': { ...down, lastPing: { ...lastPing, body: null, at: now - 25 * HOUR_MS } },
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
    up: { ...up, downtimeMs: 92 * MINUTE_MS, lastPing, otherChecks: 3 },
    test: composeTestAlert(delivery, 'down'),
  }
}

function sample(alert: Alert, now: number): Alert {
  return {
    ...alert,
    test: false,
    flip: { ...alert.flip, createdAt: now - MINUTE_MS },
    check: {
      ...alert.check,
      name: 'Nightly backup',
      tags: 'prod db',
      kind: 'cron',
      schedule: '0 2 * * *',
      tz: 'Europe/Zurich',
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

function notices(site: Site, now: number): Record<string, Notice> {
  const notice = { type: 'notice' as const, now, site, url: site.root }
  return {
    'notice-disabled': {
      ...notice,
      title: 'The Webhook integration “Chat” was disabled',
      text: `${site.name} can no longer deliver through it: Received status code 410. Alerts will not go there until someone sets it right and enables it again.`,
    },
    'notice-flapping': {
      ...notice,
      status: 'down',
      title: 'Nightly backup is flapping: 12 changes in the last hour',
      text: 'It is DOWN now. You will be told again when it has been steady for 30 minutes.',
    },
    'notice-many': {
      ...notice,
      status: 'down',
      title: '14 checks of Backups are DOWN',
      text: `${Array.from({ length: 10 }, (_, index) => `- Backup of host ${index + 1}: DOWN`).join('\n')}\nand 4 more.`,
    },
  }
}

function linkMails(site: Site): Record<string, LinkWords> {
  return {
    'sign-in': signInWords(site, 'alice@example.org'),
    'sign-up': signUpWords(site),
    'known-address': knownAddressWords(site, 'alice@example.org'),
    'new-address': newAddressWords(site, ALICE),
    'address-changed': addressChangedWords(site, 'alice@example.net'),
    offer: offerWords(site, 'Backups'),
    invitation: invitationWords(site, ALICE, 'Backups', 'member'),
    'accept-invitation': acceptWords(site, 'Backups'),
    'prove-address': proveAddressWords(site),
    'account-handed-over': handedOverNotice(site),
    'new-identity': newIdentityNotice(site, 'Example ID'),
    'new-password': passwordNotice(site),
    'second-step-added': addedSecondStepNotice(site, 'an authenticator app'),
    'second-step-removed': removedSecondStepNotice(site, 'a code of an authenticator app'),
    'recovery-code-used': recoveryCodeNotice(site, 9),
    'confirm-address': confirmationWords(site, ALICE, 'Backups', 'ops@example.org'),
  }
}

function summaries(site: Site): Record<string, Mail> {
  const frame = { siteName: site.name, siteRoot: site.root, unsubscribeUrl: DESTINATION.unsubscribeUrl }
  const row = { url: site.root, isDown: false, failed: '0', downtimes: '0', downtime: '', uptime: '100 %' }
  const report: ReportEmail = {
    ...frame,
    title: 'Monthly Report',
    summary: '3 checks ran 122 times; 1 of them was down for 1 hour 32 minutes.',
    note: 'Times in which Punctual itself was away are left out.',
    projects: [
      {
        name: 'Backups',
        url: site.root,
        rest: 'The other 40 checks ran without trouble.',
        rows: [
          {
            ...row,
            name: 'Nightly backup',
            isDown: true,
            runs: '31',
            failed: '2',
            downtimes: '1',
            downtime: '1 h 32 min',
            uptime: '99.8 %',
          },
          { ...row, name: 'Mirror of the package archive with a rather long name', runs: '91' },
        ],
      },
    ],
  }
  const nag: NagEmail = {
    ...frame,
    title: 'Reminder: 2 checks still down',
    projects: [
      {
        name: 'Backups',
        url: site.root,
        rest: '',
        rows: [
          { name: 'Nightly backup', url: site.root, text: 'down since Thu 15 Jan 02:12, for 9 hours' },
          { name: 'Certificates', url: site.root, text: 'down since Mon 12 Jan 08:00, for 3 days' },
        ],
      },
    ],
  }
  const to = 'alice@example.org'
  return {
    report: { to, subject: report.title, text: reportPlain(report), html: reportHtml(report) },
    reminder: { to, subject: nag.title, text: nagPlain(nag), html: nagHtml(nag) },
  }
}
