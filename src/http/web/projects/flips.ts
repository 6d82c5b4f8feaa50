import { setFlipsShape } from '../../../actions/projects/set-flips-shape.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { tryForm } from '../try-form.js'
import { projectSettingsPage, settingsPath } from './settings.js'

/** POST: sets how version 3 of the API lists a project's flips. */
export async function submitFlipsShape(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const flips = (await formOf(c)).text('flips')
  return await tryForm(
    c,
    async () => {
      await setFlipsShape(c.var.deps.store, project.id, flips, c.var.deps.clock.now())
      setFlash(c, 'good', 'Saved.')
      return seeOther(c, settingsPath(project))
    },
    problem => projectSettingsPage(c, project, { form: 'flips', typed: { flips }, problem }),
  )
}
