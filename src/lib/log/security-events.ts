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
  started: says('the program started; lists the settings that affect access'),
  'sign-in-failed': warns('a wrong address or password, or a refusal by the provider'),
  'second-step-failed': warns('a wrong code, recovery code or passkey after a correct first step'),
  'proof-failed': warns('a wrong password or code when a signed-in user had to confirm their identity'),
  'link-refused': warns('an invalid or expired link from an e-mail or an invitation'),
  'limit-reached': warns('too many attempts to sign in, sign up or request links; the response is 429'),
  'opening-refused': warns(
    'one of the five above on a mere page view, which another site can trigger in a browser; a refused sign-in through a provider, with its `reason`',
  ),
  'provider-failed': warns('the OpenID Connect provider could not be asked; `reason` says why'),
  'slowed-down': warns(
    'a signed-in user did something too often, or opened too many live pages; the response is 429',
  ),
  'csrf-refused': warns('a form that was not sent from a page of this site'),
  forbidden: warns('a request that the user’s role does not allow'),
  'api-key-refused': warns('a missing or wrong API key or token, or one that may not do what was asked'),
  'first-step-passed': says('a correct first step; the second step is required'),
  'signed-in': says('a user signed in; `method` says how'),
  'signed-out': says('a user signed out'),
  'session-ended': says('a user ended another session of their own'),
  'sessions-ended': says('a user ended all their other sessions'),
  'identity-proved': says('a signed-in user confirmed their identity'),
  'link-requested': says('a sign-in link was requested'),
  'sign-up-requested': says('a sign-up was requested or, if no e-mail can be sent, completed'),
  'account-created': says('an account was created through a link'),
  'account-closed': says('a user closed their account'),
  'password-changed': says('a password was set'),
  'email-change-requested': says('a new address was entered'),
  'email-changed': says('the address of an account changed'),
  'second-step-added': says('an authenticator app was added'),
  'second-step-removed': says('an authenticator app was removed'),
  'passkey-added': says('a passkey was added'),
  'passkey-removed': says('a passkey was removed'),
  'recovery-codes-made': says('new recovery codes were created, and the old ones revoked'),
  'identity-removed': says('sign-in through a provider was removed from an account'),
  'account-handed-over': says(
    'the credentials of an account were removed when a user proved ownership of its address',
  ),
  'access-ended': says('a user removed the access of others to their projects'),
  'project-created': says('a project was created'),
  'project-deleted': says('a project was deleted'),
  'key-created': says('an API key or ping key was created'),
  'key-revoked': says('an API key or ping key was revoked'),
  'token-created': says('an API token of a person or of a project was created'),
  'token-revoked': says('an API token was revoked'),
  'member-invited': says('a person was invited to a project'),
  'invitation-withdrawn': says('an invitation was withdrawn'),
  'invitation-answered': says('an invitation was accepted, or a link to accept it was requested'),
  'role-changed': says('the role of a member changed'),
  'member-removed': says('a member was removed'),
  'member-left': says('a member left a project'),
  'transfer-offered': says('a project was offered to a member'),
  'transfer-ended': says('the offer of a project was withdrawn or declined'),
  'transfer-accepted': says('a project has a new owner'),
  'channel-created': says('a channel was created; `kind` says which kind'),
  'channel-changed': says('the settings of a channel changed'),
  'channel-switched': says('a channel was enabled or disabled'),
  'channel-deleted': says('a channel was deleted'),
  'webhook-created': says('an event webhook was created'),
  'webhook-changed': says('an event webhook was changed, enabled or disabled, or got a new secret'),
  'webhook-deleted': says('an event webhook was deleted'),
  'policy-created': says('an escalation policy was created'),
  'policy-changed': says('an escalation policy changed'),
  'policy-deleted': says('an escalation policy was deleted'),
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
