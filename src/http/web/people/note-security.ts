import type { SignInMethod } from '../../../actions/people/sign-in/begin-session.js'
import type { SecurityEvent } from '../../../lib/log/security-events.js'
import type { SecurityFacts } from '../../../lib/log/security-log.js'
import type { WebContext } from '../context.js'
import { visitorOf } from '../visitor.js'

/** The IDs in addresses that are logged. Values that grant access are not among them. */
const SHOWN_PARAMETERS = ['uuid', 'member', 'invitation', 'session', 'passkey', 'kind', 'policy', 'apiToken']

/** Records an event of the current request: the address, the account and the subject. */
export function noteSecurity(c: WebContext, event: SecurityEvent, facts: SecurityFacts = {}): void {
  const parameters = SHOWN_PARAMETERS.map(name => [name, c.req.param(name)])
  c.var.deps.noteSecurity(event, {
    address: visitorOf(c).address,
    account: c.var.session?.user.email,
    request: `${c.req.method} ${c.var.route}`,
    ...Object.fromEntries(parameters.filter(([, value]) => value !== undefined)),
    ...c.var.noted,
    ...facts,
  })
}

/** Records a sign-in. */
export async function noteSignIn(c: WebContext, userId: number, method: SignInMethod): Promise<void> {
  const account = (await c.var.deps.store.people.signInFacts({ id: userId }))?.email
  noteSecurity(c, 'signed-in', { account, method })
}
