import { addProject } from '../../../actions/projects/add-project.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { AddProjectPage } from '../../../views/pages/projects/add-project.js'
import { seeOther, type WebContext } from '../context.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../people/session.js'
import { tryForm } from '../try-form.js'

/** GET: asks for the name of a new project. */
export async function showAddProject(c: WebContext): Promise<Response> {
  return await c.html(await addProjectPage(c, '', null))
}

/** POST: creates the project and redirects to its checks. */
export async function submitAddProject(c: WebContext): Promise<Response> {
  const { store, clock } = c.var.deps
  const name = (await formOf(c)).text('name')
  return await tryForm(
    c,
    async () => {
      const { uuid } = await addProject(store, clock, { name, ownerId: requireUser(c).user.id })
      return seeOther(c, `/projects/${uuid}/checks/`)
    },
    problem => addProjectPage(c, name, problem),
  )
}

async function addProjectPage(c: WebContext, name: string, problem: Problem | null) {
  return AddProjectPage({ page: await pageContext(c), name, problem })
}
