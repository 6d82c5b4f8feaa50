import {
  type OpenIdSignIn,
  signInWithOpenId,
} from '../../../../actions/people/sign-in/sign-in-with-openid.js'
import { Refusal } from '../../../../core/errors.js'
import {
  type OpenIdAttempt,
  type OpenIdSettings,
  openIdAddress,
  openIdPerson,
} from '../../../../lib/secrets/openid.js'
import { OpenIdError } from '../../../../lib/secrets/openid-error.js'
import { secretKeysOf } from '../../../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../../../lib/secrets/signing.js'
import type { WebContext } from '../../context.js'
import { dropCookie, putCookie, readCookie } from '../../cookies.js'
import { safeNext } from '../../next.js'
import { noticeDeps } from '../../site.js'
import { tryForm } from '../../try-form.js'
import { noteSecurity } from '../note-security.js'
import { finishSignIn } from './finish-sign-in.js'
import { signInPage } from './sign-in.js'

const COOKIE = 'punctual_openid'
const PURPOSE = 'openid'
const LASTS_SECONDS = 600

/** GET: redirects the visitor to the provider. */
export async function startOpenId(c: WebContext): Promise<Response> {
  const next = safeNext(c.req.query('next'))
  return await tryForm(
    c,
    async () => {
      const settings = settingsOf(c)
      const { url, attempt } = await openIdAddress(settings).catch(error => {
        throw error instanceof OpenIdError ? cannotBeReached(c, error) : error
      })
      remember(c, { ...attempt, next })
      return c.redirect(url, 302)
    },
    problem => signInPage(c, { email: '', next, problem }),
  )
}

/** GET: the visitor returns from the provider. */
export async function finishOpenId(c: WebContext): Promise<Response> {
  const settings = settingsOf(c)
  const attempt = recall(c)
  return await tryForm(
    c,
    async () => {
      const { user, handedOver } = await userWho(c, settings, attempt).catch(error => {
        throw refusalOf(c, error)
      })
      if (handedOver) noteSecurity(c, 'account-handed-over', { account: user.email })
      return await finishSignIn(c, user, 'openid', attempt?.next ?? null)
    },
    problem => signInPage(c, { email: '', next: attempt?.next ?? null, problem }),
  )
}

async function userWho(
  c: WebContext,
  settings: OpenIdSettings,
  attempt: OpenIdAttempt | null,
): Promise<OpenIdSignIn> {
  if (!attempt) throw new Refusal('unauthorized', 'this sign-in took too long: start again')
  const person = await openIdPerson(settings, new URL(c.req.url).search, attempt)
  const { REGISTRATION_OPEN: mayRegister, OPENID_NAME: provider } = c.var.deps.config
  return await signInWithOpenId({ ...noticeDeps(c), mayRegister, provider }, person)
}

/** What the visitor is told. The reason goes to the security log, as the operator needs it to set up the provider. */
function refusalOf(c: WebContext, error: unknown): unknown {
  if (error instanceof OpenIdError && error.isUnreachable) return cannotBeReached(c, error)
  if (error instanceof Refusal || error instanceof OpenIdError) c.set('noted', { reason: error.message })
  if (!(error instanceof OpenIdError)) return error
  return new Refusal('unauthorized', `${c.var.deps.config.OPENID_NAME} did not sign you in`)
}

function cannotBeReached(c: WebContext, error: OpenIdError): Refusal {
  noteSecurity(c, 'provider-failed', { reason: error.message })
  return new Refusal('unavailable', `${c.var.deps.config.OPENID_NAME} cannot be reached`)
}

function settingsOf(c: WebContext): OpenIdSettings {
  const { config } = c.var.deps
  if (config.OPENID_ISSUER === '') throw new Refusal('not-found', 'there is no OpenID Connect provider')
  return {
    issuer: config.OPENID_ISSUER,
    clientId: config.OPENID_CLIENT_ID,
    clientSecret: config.OPENID_CLIENT_SECRET,
    redirectUri: `${config.SITE_ROOT}/accounts/openid/callback/`,
  }
}

type Remembered = OpenIdAttempt & { next: string | null }

/** In a signed cookie of this browser, so that nobody can finish a sign-in that another person began. */
function remember(c: WebContext, attempt: Remembered): void {
  const value = JSON.stringify({ ...attempt, until: c.var.deps.clock.now() + LASTS_SECONDS * 1000 })
  const signature = signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, value)
  putCookie(c, COOKIE, signature + value, { maxAge: LASTS_SECONDS })
}

function recall(c: WebContext): Remembered | null {
  const cookie = readCookie(c, COOKIE) ?? ''
  const [signature, value] = [cookie.slice(0, 22), cookie.slice(22)]
  if (!isSignature(secretKeysOf(c.var.deps.config), PURPOSE, value, signature)) return null
  dropCookie(c, COOKIE)
  const { until, next, ...attempt } = JSON.parse(value) as Remembered & { until: number }
  return c.var.deps.clock.now() < until ? { ...attempt, next: safeNext(next ?? undefined) } : null
}
