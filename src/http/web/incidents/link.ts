import {
  type AcknowledgeLink,
  acknowledgeByLink,
  findByLink,
} from '../../../actions/incidents/acknowledge-link.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import type { ListedIncident } from '../../../core/incidents/listed-incident.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { AcknowledgePage } from '../../../views/pages/incidents/acknowledge.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { visitorOf } from '../visitor.js'

/** GET: asks, because mail programs and chats open links to scan and preview them. */
export async function askToAcknowledge(c: WebContext): Promise<Response> {
  const found = await findByLink(depsOf(c), linkOf(c))
  return await answer(c, found?.incident ?? null)
}

/** POST: the page's button. */
export async function acknowledgeByButton(c: WebContext): Promise<Response> {
  const { store, clock } = c.var.deps
  await limitAttempts(store, clock, { acknowledge: visitorOf(c).address })
  return await answer(c, await acknowledgeByLink(depsOf(c), linkOf(c)))
}

function depsOf(c: WebContext) {
  const { store, clock, config } = c.var.deps
  return { store, clock, secretKeys: secretKeysOf(config) }
}

function linkOf(c: WebContext): AcknowledgeLink {
  const id = Number(c.req.param('id'))
  return {
    channelUuid: c.req.param('uuid')!,
    incidentId: Number.isSafeInteger(id) ? id : 0,
    signature: c.req.param('signature')!,
  }
}

async function answer(c: WebContext, incident: ListedIncident | null): Promise<Response> {
  return await c.html(AcknowledgePage({ page: await pageContext(c), action: c.req.path, incident }))
}
