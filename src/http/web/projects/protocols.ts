import { setProtocols } from '../../../actions/projects/set-protocols.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { tryForm } from '../try-form.js'
import { projectSettingsPage, settingsPath } from './settings.js'

/** POST: sets the protocols of other monitors that a project accepts. */
export async function submitProtocols(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const names = (await formOf(c)).all('protocols')
  return await tryForm(
    c,
    async () => {
      await setProtocols(c.var.deps.store, project.id, names, c.var.deps.clock.now())
      setFlash(c, 'good', 'Saved.')
      return seeOther(c, settingsPath(project))
    },
    problem => projectSettingsPage(c, project, { form: 'protocols', typed: {}, problem }),
  )
}
