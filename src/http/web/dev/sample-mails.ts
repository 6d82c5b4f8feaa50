/** A sample of every e-mail, created by the code that creates the real ones, with invented contents. */

import { linkNote, sendMail } from '../../../actions/people/mail/send-link.js'
import type { Site } from '../../../core/alerts/alert.js'
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
  importedNotice,
  newIdentityNotice,
  passwordNotice,
  recoveryCodeNotice,
  removedSecondStepNotice,
} from '../../../core/people/security-notices.js'
import { email } from '../../../integrations/kinds/email.js'
import type { Transports } from '../../../integrations/transports.js'
import type { Mail } from '../../../lib/mail/mailer.js'
import { type NagEmail, nagHtml, nagPlain } from '../../../views/emails/nag.js'
import { type ReportEmail, reportHtml, reportPlain } from '../../../views/emails/report.js'
import type { AppDeps } from '../../deps.js'
import { sampleAlerts, sampleNotices } from './sample-alerts.js'
import { sampleDestination } from './sample-messages.js'

const ALICE = { email: 'alice@example.org', emailProven: true }

/** The e-mails by their names in addresses. */
export async function sampleMails(deps: Pick<AppDeps, 'delivery' | 'clock'>): Promise<Map<string, Mail>> {
  const { site } = deps.delivery
  const made = new Map<string, Mail>()
  const make = async (name: string, send: (keep: (mail: Mail) => Promise<void>) => Promise<unknown>) => {
    await send(async mail => void made.set(name, mail))
  }
  for (const [name, alert] of Object.entries(sampleAlerts(deps))) {
    await make(name, keep => email.send(alert, DESTINATION, transportsOf(keep)))
  }
  for (const [name, notice] of Object.entries(sampleNotices(site, deps.clock.now()))) {
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

const DESTINATION = sampleDestination('email', {})

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
    'account-imported': importedNotice(site),
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
  const row = {
    url: site.root,
    isDown: false,
    failed: '0',
    downtimes: '0',
    downtime: '',
    uptime: '100 %',
    before: '',
  }
  const report: ReportEmail = {
    ...frame,
    title: 'Monthly Report: March 2026',
    summary:
      '43 checks, 1 downtime, 1 hour, 32 minutes. Before, February 2026: 3 downtimes, 20 minutes in all.',
    note: 'Times in which Punctual itself was away are left out.',
    projects: [
      {
        name: 'Backups',
        url: site.root,
        rest: 'The other 40 checks ran without trouble.',
        troubles: ['The E-mail integration “Operations” was disabled.'],
        rows: [
          {
            ...row,
            name: 'Nightly backup',
            isDown: true,
            runs: '31',
            failed: '2',
            downtimes: '1 downtime',
            downtime: '1 h 32 min',
            uptime: '99.8 %',
            before: '99.95 %',
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
