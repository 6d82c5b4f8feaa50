/** Records the outcome of requests in the security log, by the lists in security-events.ts. */

import { Refusal } from '../../core/errors.js'
import { emailAddress } from '../../core/people/email-address.js'
import { GUESSES, type SecurityEvent } from '../../lib/log/security-events.js'
import type { SecurityFacts } from '../../lib/log/security-log.js'
import type { WebContext } from './context.js'
import { CsrfRefusal } from './csrf.js'
import { formOf } from './form.js'
import { noteSecurity } from './people/note-security.js'
import { ON_SUCCESS, ON_WRONG_PROOF } from './people/security-events.js'
import { halfSignedIn } from './people/sign-in/second-step.js'

/** Records a successful request if its route is in the list. `status`: of the answer. */
export async function noteSuccess(c: WebContext, status: number): Promise<void> {
  const noted = c.req.method === 'POST' ? ON_SUCCESS[c.var.route] : undefined
  if (!noted || (noted.redirects && status < 300)) return
  const form = await formOf(c)
  const fields = (noted.fields ?? []).map(name => [name, form.text(name).slice(0, 254)])
  const account = c.var.session ? {} : await accountOf(c)
  noteSecurity(c, noted.event, { ...account, ...Object.fromEntries(fields) })
}

/** Records a refused request if the reason is relevant to security. Ignores all other errors. */
export async function noteRefusal(c: WebContext, error: unknown): Promise<void> {
  const found = eventOf(error, c.var.route, c.var.session !== null)
  const event = found && c.req.method !== 'POST' && isGuess(found) ? 'opening-refused' : found
  if (event) noteSecurity(c, event, c.var.session ? {} : await accountOf(c))
}

/**
 * Whether programs such as fail2ban count an event against its address. Only a form of this site counts, because other
 * sites can make their visitors' browsers open any page.
 */
function isGuess(event: SecurityEvent): boolean {
  return GUESSES.some(guess => guess === event)
}

function eventOf(error: unknown, route: string, isSignedIn: boolean): SecurityEvent | null {
  if (error instanceof CsrfRefusal) return 'csrf-refused'
  if (!(error instanceof Refusal)) return null
  if (error.code === 'unauthorized') return ON_WRONG_PROOF[route] ?? 'sign-in-failed'
  if (error.code === 'too-many') return isSignedIn ? 'slowed-down' : 'limit-reached'
  if (error.code === 'forbidden') return 'forbidden'
  return error.code === 'gone' && route.startsWith('/accounts/') ? 'link-refused' : null
}

/** The account that a visitor tries to sign in to: that of the first step, or the typed text if it is an address. */
async function accountOf(c: WebContext): Promise<SecurityFacts> {
  const half = halfSignedIn(c)
  if (half) return { account: (await c.var.deps.store.people.signInFacts({ id: half.user.id }))?.email }
  const typed = (await formOf(c)).text('email')
  try {
    return typed === '' ? {} : { account: emailAddress(typed) }
  } catch {
    // Users sometimes type passwords into the wrong field.
    return { account: 'not an address' }
  }
}
