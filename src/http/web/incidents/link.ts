import { acknowledgeByLink } from '../../../actions/incidents/acknowledge-by-link.js'
import { findByLink, type LinkTarget, type MessageLink } from '../../../actions/incidents/message-link.js'
import { silenceByLink } from '../../../actions/incidents/silence-by-link.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import { snoozeEnd } from '../../../actions/silences/snooze-checks.js'
import { untilOf } from '../../../core/incidents/until-choice.js'
import { integrationOf } from '../../../integrations/index.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { MessageLinkPage } from '../../../views/pages/incidents/message-link.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { visitorOf } from '../visitor.js'

/** GET: asks, because mail programs and chats open links to scan and preview them. */
export async function askByLink(c: WebContext): Promise<Response> {
  const found = await findByLink(depsOf(c), linkOf(c))
  return await answer(c, found, await zoneFor(c, found))
}

/** POST: the page's buttons, which acknowledge or silence. */
export async function actByLink(c: WebContext): Promise<Response> {
  const deps = depsOf(c)
  await limitAttempts(deps.store, deps.clock, { acknowledge: visitorOf(c).address })
  const form = await formOf(c)
  const link = linkOf(c)
  const found = await findByLink(deps, link)
  const tz = await zoneFor(c, found)
  if (!found) return await answer(c, null, tz)
  const now = deps.clock.now()
  if (form.has('for')) {
    const until = snoozeEnd(form.text('for'), tz, now)
    const done = await silenceByLink(deps, link, until)
    return await answer(c, done, tz, done?.silenced ? until : null)
  }
  const wanted = { note: form.text('note'), until: untilOf(form.text('until'), now, tz) }
  return await answer(c, await acknowledgeByLink(deps, link, wanted), tz)
}

function depsOf(c: WebContext) {
  const { store, clock, config } = c.var.deps
  return { store, clock, secretKeys: secretKeysOf(config) }
}

function linkOf(c: WebContext): MessageLink {
  const id = Number(c.req.param('id'))
  const message = c.req.param('message')
  return {
    channelUuid: c.req.param('uuid')!,
    about: message === undefined ? { incident: Number.isSafeInteger(id) ? id : 0 } : { message },
    signature: c.req.param('signature')!,
  }
}

/** The time zone of the reader: of the user, if one is signed in, else of the channel's recipient or the project's owner. */
async function zoneFor(c: WebContext, found: LinkTarget | null): Promise<string> {
  const user = c.var.session?.user
  if (user) return user.timezone
  if (!found) return 'UTC'
  const { channel } = found
  const address = integrationOf(channel.kind)?.recipient?.(channel.settings) ?? ''
  return (await c.var.deps.store.channels.recipientFacts(channel.uuid, address)).timeZone ?? 'UTC'
}

async function answer(
  c: WebContext,
  found: LinkTarget | null,
  tz: string,
  silencedUntil: number | null = null,
): Promise<Response> {
  return await c.html(
    MessageLinkPage({
      page: await pageContext(c),
      action: c.req.path,
      incidents: found?.incidents ?? null,
      tz,
      silencedUntil,
    }),
  )
}
