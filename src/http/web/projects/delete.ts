import { deleteProject } from '../../../actions/projects/delete-project.js'
import { Refusal } from '../../../core/errors.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { tryForm } from '../try-form.js'
import { projectSettingsPage } from './settings.js'

/** POST: deletes a project, if its name was typed. */
export async function submitDeletedProject(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'own')
  const name = (await formOf(c)).text('name')
  return await tryForm(
    c,
    async () => {
      if (name.trim() !== projectLabel(project)) {
        throw new Refusal('invalid', `this is not the project’s name: type ${projectLabel(project)}`, 'name')
      }
      await deleteProject(c.var.deps.store, { projectId: project.id, ownerId: requireUser(c).user.id })
      setFlash(c, 'good', `${projectLabel(project)} is deleted.`)
      return seeOther(c, '/')
    },
    problem => projectSettingsPage(c, project, { form: 'deletion', typed: { name }, problem }),
  )
}
