/**
 * Every event of the security log, with its meaning for the documentation. The events cover the OWASP logging
 * vocabulary: https://cheatsheetseries.owasp.org/cheatsheets/Logging_Vocabulary_Cheat_Sheet.html
 */

export interface EventKind {
  means: string
  /** Whether it is logged as a warning: a refusal, possibly of an attack. */
  warns?: boolean
}

const warns = (means: string): EventKind => ({ means, warns: true })
const says = (means: string): EventKind => ({ means })

export const SECURITY_EVENTS = {
  started: says('the program started; with the settings that open it most'),
  'sign-in-failed': warns('a wrong address or password, or a provider that did not vouch'),
  'second-step-failed': warns('a wrong code, recovery code or passkey after a right first step'),
  'proof-failed': warns('a wrong password or code where a signed-in person had to prove who they are'),
  'link-refused': warns('a link of a mail or an invitation that does not work, or no longer'),
  'limit-reached': warns('too many attempts to sign in or up, or to have links sent: the answer is 429'),
  'opening-refused': warns(
    'one of the five above for a page that was only opened, which other sites can make browsers do',
  ),
  'slowed-down': warns(
    'a signed-in person did something too often, or opened too many live pages: the answer is 429',
  ),
  'csrf-refused': warns('a form that no page of this site sent'),
  forbidden: warns('a request that the person’s role does not allow'),
  'api-key-refused': warns('a missing or wrong API key, or a read-only key used to write'),
  'first-step-passed': says('a right first step; the second is asked for'),
  'signed-in': says('a session began; `method` says how'),
  'signed-out': says('a person signed out'),
  'session-ended': says('a person ended another session of their own'),
  'sessions-ended': says('a person ended all their other sessions'),
  'identity-proved': says('a signed-in person proved once more who they are'),
  'link-requested': says('a link to sign in was asked for'),
  'sign-up-requested': says('a sign-up was asked for or, where no e-mail goes out, made'),
  'account-created': says('an account was made by a link'),
  'account-closed': says('a person closed their account'),
  'password-changed': says('a password was set'),
  'email-change-requested': says('a new address was entered'),
  'email-changed': says('the address of an account changed'),
  'second-step-added': says('an authenticator app was set up'),
  'second-step-removed': says('an authenticator app was removed'),
  'passkey-added': says('a passkey was added'),
  'passkey-removed': says('a passkey was removed'),
  'recovery-codes-made': says('new recovery codes; the old ones stopped working'),
  'identity-removed': says('a sign-in by a provider was taken from an account'),
  'account-handed-over': says(
    'an account lost the credentials that it had, to the person who proved its address',
  ),
  'access-ended': says('a person ended the access of others to their projects'),
  'project-created': says('a project was made'),
  'project-deleted': says('a project was deleted'),
  'key-created': says('an API key or ping key was made'),
  'key-revoked': says('an API key or ping key was revoked'),
  'member-invited': says('an invitation was made'),
  'invitation-withdrawn': says('an invitation was withdrawn'),
  'invitation-answered': says('an invitation was accepted, or a link to accept it with was asked for'),
  'role-changed': says('a member got another role'),
  'member-removed': says('a member was removed'),
  'member-left': says('a member left'),
  'transfer-offered': says('a project was offered to a member'),
  'transfer-ended': says('the offer was withdrawn or declined'),
  'transfer-accepted': says('a project has a new owner'),
  'channel-created': says('a channel was made; `kind` says which'),
  'channel-changed': says('the settings of a channel changed'),
  'channel-switched': says('a channel was enabled or disabled'),
  'channel-deleted': says('a channel was deleted'),
} as const satisfies Record<string, EventKind>

/** The events that fail2ban counts against an address. */
export const GUESSES = [
  'sign-in-failed',
  'second-step-failed',
  'proof-failed',
  'link-refused',
  'limit-reached',
] as const

export type SecurityEvent = keyof typeof SECURITY_EVENTS
