import { Refusal } from '../../../core/errors.js'
import type { PingDetails } from '../../../storage/pings/ping-details.js'
import { PingPage } from '../../../views/pages/pings/ping.js'
import { respond } from '../../responses.js'
import { checkOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { pingTexts } from './ping-texts.js'

/** GET: the details of a ping. */
export async function showPing(c: WebContext): Promise<Response> {
  const { project, details } = await find(c)
  const { check, ping, bodySize, older, newer } = details
  const body = await availableBody(c, details)
  const { subject, output } = await pingTexts(ping.scheme, body, project)
  const page = await pageContext(c, project)
  return await c.html(PingPage({ page, check, ping, subject, output, bodySize, older, newer }))
}

/** GET: the body of a ping, as a file. Source: docs/behaviour.md, section 3.5. */
export async function downloadBody(c: WebContext): Promise<Response> {
  const { details } = await find(c)
  const body = await bodyOf(c, details)
  if (!body) throw new Refusal('not-found', 'the ping has no body')
  const { check, ping } = details
  return respond(200, new Uint8Array(body), 'application/octet-stream', {
    'Content-Disposition': `attachment; filename="${check.uuid}-${ping.n}.txt"`,
  })
}

/** GET: redirects to the newest ping. */
export async function showLastPing(c: WebContext): Promise<Response> {
  const { project, check } = await checkOf(c, c.req.param('uuid')!, 'read')
  const { store, clock } = c.var.deps
  const { check: known } = await store.checks.facts(project.id, check.uuid, clock.now())
  return seeOther(c, `/checks/${check.uuid}/pings/${known.nPings}/`)
}

async function find(c: WebContext) {
  const { project, check } = await checkOf(c, c.req.param('uuid')!, 'read')
  const n = Number(c.req.param('n'))
  if (!Number.isSafeInteger(n)) throw new Refusal('not-found', 'there is no such ping')
  return { project, details: await c.var.deps.store.pings.details(project.id, check.uuid, n) }
}

/** The body of a ping; null if there is none, or if its storage does not respond: the rest of a page is useful even then. */
export async function availableBody(c: WebContext, details: PingDetails): Promise<Uint8Array | null> {
  try {
    return await bodyOf(c, details)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') return null
    throw error
  }
}

/** The body of a ping, wherever it is stored; null if there is none. */
async function bodyOf(
  c: WebContext,
  { body, bodySize, check, ping }: PingDetails,
): Promise<Uint8Array | null> {
  if (body || bodySize === 0) return body
  return (await c.var.deps.bodies?.read(check.uuid, ping.n)) ?? null
}
