import { flag, headerName, issuerAddress, optionalDomain, text } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Who may sign in, and how. */
export const peopleSettings = withGroup('People', {
  REGISTRATION_OPEN: {
    type: flag,
    default: 'True',
    help: 'Whether anybody may sign up. The first account is always made through the link that `punctual serve` prints.',
  },
  REMOTE_USER_HEADER: {
    type: headerName,
    default: '',
    help: 'The request header in which a trusted proxy names the person that it has signed in, by e-mail address; it then replaces every other way of signing in. `X-Authenticated-User` and `HTTP_X_AUTHENTICATED_USER` are the same. It needs `TRUSTED_PROXIES`.',
  },
  OPENID_ISSUER: {
    type: issuerAddress,
    default: '',
    help: 'The issuer of an OpenID Connect provider; with it people sign in there, if it says that it has verified their address (`email_verified`). The address to register with the provider is `{SITE_ROOT}/accounts/openid/callback/`.',
  },
  OPENID_CLIENT_ID: { type: text, default: '', help: 'What the provider calls this installation.' },
  OPENID_CLIENT_SECRET: {
    type: text,
    default: '',
    secret: true,
    help: 'The secret that the provider gave it; empty for a public client.',
  },
  OPENID_NAME: {
    type: text,
    default: 'OpenID Connect',
    help: 'What the provider is called on the button to sign in.',
  },
  SECOND_STEP_REQUIRED: {
    type: flag,
    default: 'False',
    help: 'Whether everyone who signs in with a password or a link has to set up a second step before anything else. Those whom a proxy or a provider signs in are asked for none: it may ask for one itself.',
  },
  RP_ID: {
    type: optionalDomain,
    default: '',
    help: 'The domain that passkeys are bound to; empty: the host in `SITE_ROOT`.',
  },
})
