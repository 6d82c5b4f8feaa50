/** What e-mails say to a person whose account changed in a way that matters to its security. */
import type { Site } from '../core/alert.js'
import type { LinkWords } from './mail-words.js'

type Notice = Required<LinkWords>

/** The account was made, or last changed, by somebody who had not proven its address. */
export const handedOverNotice = (site: Site): Notice =>
  notice(site, {
    subject: `Your account at ${site.name} is confirmed`,
    text:
      'You have shown that this address is yours. Until now nobody had, so every password, second step and session ' +
      'that the account had before has ended.',
    note: 'Choose a new password under Account, and look at who belongs to your projects.',
  })

/** Somebody signed in through a provider for the first time. */
export const newIdentityNotice = (site: Site, provider: string): Notice =>
  notice(site, {
    subject: `${provider} now signs in to your account at ${site.name}`,
    text: `Somebody with your address signed in through ${provider}, which opens your account from now on.`,
  })

function notice(
  site: Site,
  { subject, text, note = IF_NOT_YOU }: { subject: string; text: string; note?: string },
): Notice {
  return { subject, text, label: `Open ${site.name}`, note }
}

const IF_NOT_YOU = 'If this was not you, sign in by a link, choose a new password and end all other sessions.'
