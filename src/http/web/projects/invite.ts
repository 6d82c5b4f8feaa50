import { inviteMember } from '../../../actions/projects/invite-member.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { showOnce } from '../show-once.js'
import { siteOf } from '../site.js'
import { tryForm } from '../try-form.js'
import { projectSettingsPage, settingsPath } from './settings.js'

/** POST: creates an invitation. The next page shows its link once. */
export async function submitInvitation(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'manage')
  const { user, sessionId } = requireUser(c)
  const { store, clock, mailer, config } = c.var.deps
  const form = await formOf(c)
  const [email, role] = [form.text('email'), form.text('role')]
  return await tryForm(
    c,
    async () => {
      const made = await inviteMember(
        { store, clock, mailer, site: siteOf(config) },
        { project, inviter: user, by: { userId: user.id, sessionId }, email, role },
      )
      const text = config.SITE_ROOT + made.path
      showOnce(c, settingsPath(project), { what: 'invitation', text, sentTo: made.sentTo })
      return seeOther(c, `${settingsPath(project)}#people`)
    },
    problem => projectSettingsPage(c, project, { form: 'invitation', typed: { email, role }, problem }),
  )
}
