import { signInWithOpenId } from '../../../../actions/people/sign-in/sign-in-with-openid.js'
import { Refusal } from '../../../../core/errors.js'
import {
  type OpenIdAttempt,
  type OpenIdSettings,
  openIdAddress,
  openIdPerson,
} from '../../../../lib/secrets/openid.js'
import { secretKeysOf } from '../../../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../../../lib/secrets/signing.js'
import type { WebContext } from '../../context.js'
import { dropCookie, putCookie, readCookie } from '../../cookies.js'
import { safeNext } from '../../next.js'
import { noticeDeps } from '../../site.js'
import { tryForm } from '../../try-form.js'
import { noteSecurity } from '../note-security.js'
import { REVIEW_PATH } from '../review.js'
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
      const { url, attempt } = await openIdAddress(settingsOf(c)).catch(error => {
        c.var.deps.onError(error)
        throw new Refusal('unavailable', `${c.var.deps.config.OPENID_NAME} cannot be reached`)
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
      if (!attempt) throw new Refusal('unauthorized', 'this sign-in took too long: start again')
      const person = await openIdPerson(settings, new URL(c.req.url).search, attempt).catch(() => {
        throw new Refusal('unauthorized', `${c.var.deps.config.OPENID_NAME} did not sign you in`)
      })
      const { REGISTRATION_OPEN: mayRegister, OPENID_NAME: provider } = c.var.deps.config
      const deps = { ...noticeDeps(c), mayRegister, provider }
      const { user, handedOver } = await signInWithOpenId(deps, person)
      if (handedOver) noteSecurity(c, 'account-handed-over', { account: user.email })
      return await finishSignIn(c, user, 'openid', handedOver ? REVIEW_PATH : attempt.next)
    },
    problem => signInPage(c, { email: '', next: attempt?.next ?? null, problem }),
  )
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
