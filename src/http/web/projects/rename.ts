import { renameProject } from '../../../actions/projects/rename-project.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { tryForm } from '../try-form.js'
import { projectSettingsPage, settingsPath } from './settings.js'

/** POST: renames a project. */
export async function submitProjectName(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const name = (await formOf(c)).text('name')
  return await tryForm(
    c,
    async () => {
      await renameProject(c.var.deps.store, project.id, name, c.var.deps.clock.now())
      setFlash(c, 'good', 'Project renamed.')
      return seeOther(c, settingsPath(project))
    },
    problem => projectSettingsPage(c, project, { form: 'name', typed: { name }, problem }),
  )
}
