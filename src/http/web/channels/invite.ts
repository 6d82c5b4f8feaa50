import { invitedChat } from '../../../actions/channels/answer-bot.js'
import { may } from '../../../core/people/role.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { InvitedChatPage } from '../../../views/pages/channels/invite.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../people/session.js'
import { makeChannels, sentForAll, tellMade } from './make.js'

/** GET: asks which project the chat is to be added to. */
export async function showInvite(c: WebContext): Promise<Response> {
  const token = c.req.param('invite')!
  const { integration, settings } = chatOf(c, token)
  const projects = await c.var.deps.store.people.listProjects(requireUser(c).user.id)
  return await c.html(
    InvitedChatPage({
      page: await pageContext(c),
      label: integration.label,
      chat: integration.describe(settings),
      action: `/integrations/invite/${token}/`,
      projects: projects.filter(({ role }) => may(role, 'write')),
    }),
  )
}

/** POST: adds the chat to the chosen project. */
export async function acceptInvite(c: WebContext): Promise<Response> {
  const { integration, settings } = chatOf(c, c.req.param('invite')!)
  const form = await formOf(c)
  const project = await projectOf(c, form.text('project'), 'write')
  const made = await makeChannels(c, project, integration.kind, [{ settings }], sentForAll(form))
  return await tellMade(c, project, made)
}

function chatOf(c: WebContext, token: string) {
  const { config, clock } = c.var.deps
  return invitedChat(secretKeysOf(config), clock.now(), token)
}
