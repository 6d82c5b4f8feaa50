import { flag, headerName, issuerAddress, optionalDomain, text } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Who may sign in, and how. */
export const peopleSettings = withGroup('People', {
  REGISTRATION_OPEN: {
    type: flag,
    default: 'True',
    help: 'Whether anyone can sign up. The first account is always created through the link that `punctual serve` prints.',
  },
  REMOTE_USER_HEADER: {
    type: headerName,
    default: '',
    help: 'The request header with the e-mail address of the user that a trusted proxy has signed in. It replaces all other ways to sign in, and needs `TRUSTED_PROXIES`. `X-Authenticated-User` and `HTTP_X_AUTHENTICATED_USER` mean the same header.',
  },
  OPENID_ISSUER: {
    type: issuerAddress,
    default: '',
    help: 'The issuer of an OpenID Connect provider. Users can sign in through it if it has verified their e-mail address (`email_verified`). Register `{SITE_ROOT}/accounts/openid/callback/` as the redirect URI. Why a sign-in failed is in the [security log](security-log.md).',
  },
  OPENID_CLIENT_ID: { type: text, default: '', help: 'The client ID of this installation at the provider.' },
  OPENID_CLIENT_SECRET: {
    type: text,
    default: '',
    secret: true,
    help: 'The client secret from the provider; empty for a public client.',
  },
  OPENID_NAME: {
    type: text,
    default: 'OpenID Connect',
    help: 'The name of the provider on the sign-in button.',
  },
  SECOND_STEP_REQUIRED: {
    type: flag,
    default: 'False',
    help: 'Whether users who sign in with a password or a link must set up a second step first. Does not apply to users whom a proxy or provider signs in, because it can require a second step itself, nor to API tokens.',
  },
  RP_ID: {
    type: optionalDomain,
    default: '',
    help: 'The domain for which passkeys are valid; empty: the host in `SITE_ROOT`.',
  },
})
