/**
 * The texts of e-mails with a link, in one place so that `/dev/mails/` can show them. Other people's names and
 * addresses appear only in the text, quoted, never in the subject.
 */
import type { Site } from '../alerts/alert.js'
import { quotedAddress, quotedName } from '../text/quoted-name.js'

export interface LinkWords {
  subject: string
  /** What the link does, in a sentence. */
  text: string
  /** The text of the link. */
  label: string
  /** The text below the link; if absent, how long the link works. */
  note?: string
}

/** A person whom an e-mail to another person mentions. */
export interface Named {
  email: string
  emailProven: boolean
}

/** An unproven address may belong to another person, so e-mails do not mention it. */
const addressOf = (person: Named, unproven: string): string =>
  person.emailProven ? quotedAddress(person.email) : unproven

export const signInWords = (site: Site, email: string): LinkWords => ({
  subject: `Sign in to ${site.name}`,
  text: `Open this link to sign in as ${email}.`,
  label: 'Sign in',
})

export const signUpWords = (site: Site): LinkWords => ({
  subject: `Your account at ${site.name}`,
  text: 'Open this link to choose a password and begin.',
  label: 'Create account',
})

/** For the owner of an account whose address was used to sign up. */
export const knownAddressWords = (site: Site, email: string): LinkWords => ({
  subject: `You have an account at ${site.name}`,
  text:
    `Someone tried to sign up with ${email}, which has an account already. ` +
    'If it was you, open this link to sign in.',
  label: 'Sign in',
})

export const newAddressWords = (site: Site, user: Named): LinkWords => ({
  subject: `Confirm your address at ${site.name}`,
  text: `Open this link to use this address in place of ${addressOf(user, 'the one that your account has now')}.`,
  label: 'Confirm address',
})

/** For the current, unproven address of an account. */
export const proveAddressWords = (site: Site): LinkWords => ({
  subject: `Confirm your address at ${site.name}`,
  text: 'Open this link where you are signed in, to confirm that this address is yours.',
  label: 'Confirm the address',
})

export const addressChangedWords = (site: Site, newEmail: string): Required<LinkWords> => ({
  subject: `Your address at ${site.name} was changed`,
  text: `Your account now has the address ${quotedAddress(newEmail)}.`,
  label: `Open ${site.name}`,
  note: 'If this was not you, ask your administrator for help immediately.',
})

/** `project`: the project's name, which may be empty. */
export const offerWords = (site: Site, project: string): Required<LinkWords> => ({
  subject: `A project is offered to you at ${site.name}`,
  text: `The owner of ${quotedName(project, 'a project')} would like you to become its owner. Accept or decline on the settings page of the project.`,
  label: 'Open the settings page',
  note: 'Until you accept, nothing changes.',
})

/** `part`: the role of the invited person. */
export const invitationWords = (
  site: Site,
  inviter: Named,
  project: string,
  part: string,
): Required<LinkWords> => ({
  subject: `You are invited to a project at ${site.name}`,
  text: `${addressOf(inviter, `A user of ${site.name}`)} invites you to ${quotedName(project, 'a project')} at ${site.name}. Your role: ${part}.`,
  label: 'View the invitation',
  note: 'The link works once, within a week. If you do not know the sender, ignore this message.',
})

/** For a person who opened an invitation that was not sent to their address. */
export const acceptWords = (site: Site, project: string): LinkWords => ({
  subject: `Join a project at ${site.name}`,
  text: `Open this link to choose a password and join ${quotedName(project, 'the project')}.`,
  label: 'Join the project',
})

/** `project`: the name of the project, which may be empty. */
export const confirmationWords = (
  site: Site,
  asker: Named,
  project: string,
  address: string,
): Required<LinkWords> => ({
  subject: `Confirm that ${site.name} may send alerts to this address`,
  text: `${addressOf(asker, `A user of ${site.name}`)} wants to have alerts about scheduled jobs of ${quotedName(project, 'a project')} sent to ${quotedAddress(address)}.`,
  label: 'Yes, send them here',
  note: 'If you do not want them, ignore this message: nothing is sent until you agree.',
})
