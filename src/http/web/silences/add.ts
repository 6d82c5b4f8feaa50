import { newSilenceForm, readSilenceForm } from '../../../core/silences/silence-form.js'
import { isUuid } from '../../../core/text/uuid.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { tryForm } from '../try-form.js'
import { sentForm, silenceFormPage } from './form-page.js'

/** GET: the form for a new silence; `check` in the address chooses a check. */
export async function showAddSilence(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const { user } = requireUser(c)
  const check = c.req.query('check') ?? ''
  const form = newSilenceForm(user.timezone, c.var.deps.clock.now(), isUuid(check) ? check : null)
  return await c.html(await silenceFormPage(c, project, null, form, null))
}

/** POST: creates a silence. */
export async function addSilence(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const { user } = requireUser(c)
  const { store, clock } = c.var.deps
  const sent = await formOf(c)
  const form = sentForm(sent)
  if (sent.has('preview')) return await c.html(await silenceFormPage(c, project, null, form, null))
  const asked = readSilenceForm(form, user.timezone)
  if ('problem' in asked) {
    const problem = { field: asked.field, message: asked.problem }
    return await c.html(await silenceFormPage(c, project, null, form, problem), 400)
  }
  return await tryForm(
    c,
    async () => {
      await store.silences.create(project.id, { ...asked, createdBy: user.email, now: clock.now() })
      setFlash(c, 'good', 'Created the silence.')
      return seeOther(c, `/projects/${project.uuid}/silences/`)
    },
    problem => silenceFormPage(c, project, null, form, problem),
  )
}
