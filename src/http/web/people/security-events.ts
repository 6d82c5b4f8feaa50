import type { SecurityEvent } from '../../../lib/log/security-events.js'

interface Noted {
  event: SecurityEvent
  /** Fields of the form that the line includes. */
  fields?: readonly string[]
  /** Whether a page as the answer shows the form again, so that only a redirect is a success. */
  redirects?: true
}

/** The forms whose success is logged, by the path of their route. Sign-ins are logged separately. */
export const ON_SUCCESS: Readonly<Record<string, Noted>> = {
  '/accounts/login/link/': { event: 'link-requested' },
  '/accounts/signup/': { event: 'sign-up-requested' },
  '/accounts/signup/:token/': { event: 'account-created' },
  '/accounts/first/:token/': { event: 'account-created' },
  '/accounts/logout/': { event: 'signed-out' },
  '/accounts/invitations/:token/': { event: 'invitation-answered' },
  '/accounts/invitations/:token/:proof/': { event: 'invitation-answered' },
  '/accounts/confirm/': { event: 'identity-proved' },
  '/accounts/password/': { event: 'password-changed' },
  '/accounts/email/': { event: 'email-change-requested', fields: ['email'] },
  '/accounts/email/confirm/:token/': { event: 'email-changed' },
  '/accounts/review/': { event: 'access-ended' },
  '/accounts/identities/remove/': { event: 'identity-removed', fields: ['issuer'] },
  '/accounts/totp/': { event: 'second-step-added' },
  '/accounts/totp/remove/': { event: 'second-step-removed' },
  '/accounts/recovery-codes/': { event: 'recovery-codes-made' },
  '/accounts/passkeys/add/': { event: 'passkey-added', fields: ['name'] },
  '/accounts/passkeys/:passkey/remove/': { event: 'passkey-removed' },
  '/accounts/sessions/revoke/': { event: 'sessions-ended' },
  '/accounts/sessions/:session/revoke/': { event: 'session-ended' },
  '/accounts/tokens/add/': { event: 'token-created', fields: ['name'], redirects: true },
  '/accounts/tokens/:apiToken/revoke/': { event: 'token-revoked' },
  '/accounts/close/': { event: 'account-closed' },

  '/projects/add/': { event: 'project-created', fields: ['name'] },
  '/projects/:uuid/keys/add/': { event: 'key-created', fields: ['kind'] },
  '/projects/:uuid/keys/revoke/': { event: 'key-revoked', fields: ['kind', 'hint'] },
  '/projects/:uuid/tokens/add/': { event: 'token-created', fields: ['name'], redirects: true },
  '/projects/:uuid/tokens/:apiToken/revoke/': { event: 'token-revoked' },
  '/projects/:uuid/webhooks/add/': { event: 'webhook-created', fields: ['name'], redirects: true },
  '/projects/:uuid/webhooks/:webhook/': { event: 'webhook-changed', redirects: true },
  '/projects/:uuid/webhooks/:webhook/enabled/': { event: 'webhook-changed' },
  '/projects/:uuid/webhooks/:webhook/secret/': { event: 'webhook-changed' },
  '/projects/:uuid/webhooks/:webhook/remove/': { event: 'webhook-deleted' },
  '/projects/:uuid/invitations/add/': { event: 'member-invited', fields: ['email', 'role'] },
  '/projects/:uuid/invitations/:invitation/withdraw/': { event: 'invitation-withdrawn' },
  '/projects/:uuid/members/:member/role/': { event: 'role-changed', fields: ['role'] },
  '/projects/:uuid/members/:member/remove/': { event: 'member-removed' },
  '/projects/:uuid/leave/': { event: 'member-left' },
  '/projects/:uuid/transfer/': { event: 'transfer-offered', fields: ['member'] },
  '/projects/:uuid/transfer/cancel/': { event: 'transfer-ended' },
  '/projects/:uuid/transfer/accept/': { event: 'transfer-accepted' },
  '/projects/:uuid/remove/': { event: 'project-deleted', fields: ['name'] },

  '/projects/:uuid/integrations/add/:kind/': { event: 'channel-created' },
  '/projects/:uuid/integrations/add/:kind/finish/': { event: 'channel-created' },
  '/integrations/callback/:kind/:state/': { event: 'channel-created' },
  '/integrations/invite/:invite/': { event: 'channel-created' },
  '/integrations/:uuid/edit/': { event: 'channel-changed' },
  '/integrations/:uuid/enabled/': { event: 'channel-switched', fields: ['enabled'] },
  '/integrations/:uuid/remove/': { event: 'channel-deleted' },

  '/projects/:uuid/policies/add/': { event: 'policy-created', fields: ['name'], redirects: true },
  '/projects/:uuid/policies/:policy/edit/': { event: 'policy-changed', fields: ['name'], redirects: true },
  '/projects/:uuid/policies/:policy/remove/': { event: 'policy-deleted' },
}

/** The event for a wrong proof that is not the first step of signing in, by the path of the route. */
export const ON_WRONG_PROOF: Readonly<Record<string, SecurityEvent>> = {
  '/accounts/login/second/': 'second-step-failed',
  '/accounts/login/passkey/': 'second-step-failed',
  '/accounts/login/recovery/': 'second-step-failed',
  '/accounts/confirm/': 'proof-failed',
  '/accounts/password/': 'proof-failed',
}
