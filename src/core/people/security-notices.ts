/** E-mails to a person about security-relevant changes of their account. */
import type { Site } from '../alerts/alert.js'
import type { LinkWords } from './mail-words.js'

type Notice = Required<LinkWords>

/** The account was created or changed before its address was proven. */
export const handedOverNotice = (site: Site): Notice =>
  notice(site, {
    subject: `Your account at ${site.name} is confirmed`,
    text:
      'You have shown that this address is yours. Until now nobody had, so every password, second step, session, ' +
      'API token and invitation that the account had before has ended.',
    note: 'Choose a new password under Account. Look at who belongs to your projects, and at their API keys and tokens, which still work.',
  })

/** The account was created here before its person was imported from Healthchecks. */
export const importedNotice = (site: Site): Notice => ({
  ...handedOverNotice(site),
  text:
    'It was imported from Healthchecks, where you had shown that this address is yours. Here nobody had, so every ' +
    'password, second step, session, API token and invitation that the account had here before has ended.',
  note: 'Sign in as you did there. Look at who belongs to your projects, and at their API keys and tokens, which still work.',
})

/** A provider was used to sign in for the first time. */
export const newIdentityNotice = (site: Site, provider: string): Notice =>
  notice(site, {
    subject: `${provider} now signs in to your account at ${site.name}`,
    text: `Someone with your address signed in through ${provider}, which opens your account from now on.`,
  })

/** A new password was set. */
export const passwordNotice = (site: Site): Notice =>
  notice(site, {
    subject: `Your password at ${site.name} was changed`,
    text: 'Your account has a new password, and all other sessions were signed out.',
  })

/** A second step was removed; `what`: a noun with its article. */
export const removedSecondStepNotice = (site: Site, what: string): Notice =>
  notice(site, {
    subject: `A second step was removed from your account at ${site.name}`,
    text: `Signing in to your account no longer requires ${what}.`,
  })

/** A second step was added; `what`: a noun with its article. */
export const addedSecondStepNotice = (site: Site, what: string): Notice =>
  notice(site, {
    subject: `A second step was added to your account at ${site.name}`,
    text: `Signing in to your account now requires a second step, for which ${what} was set up.`,
  })

/** A recovery code was used as the second step. */
export const recoveryCodeNotice = (site: Site, left: number): Notice =>
  notice(site, {
    subject: `A recovery code was used at ${site.name}`,
    text: `Someone signed in to your account with a recovery code. ${left === 0 ? 'It was the last one.' : `${left} left.`}`,
  })

function notice(
  site: Site,
  { subject, text, note = IF_NOT_YOU }: { subject: string; text: string; note?: string },
): Notice {
  return { subject, text, label: `Open ${site.name}`, note }
}

const IF_NOT_YOU = 'If this was not you, sign in by a link, choose a new password and end all other sessions.'
