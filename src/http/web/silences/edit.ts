import { formOfSilence, readSilenceForm } from '../../../core/silences/silence-form.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { tryForm } from '../try-form.js'
import { sentForm, silenceFormPage } from './form-page.js'
import { loadSilence } from './load-silence.js'

/** GET: the form of a silence. */
export async function showEditSilence(c: WebContext): Promise<Response> {
  const { project, silence } = await loadSilence(c, 'write')
  const { user } = requireUser(c)
  return await c.html(await silenceFormPage(c, project, silence, formOfSilence(silence, user.timezone), null))
}

/** POST: changes a silence. */
export async function editSilence(c: WebContext): Promise<Response> {
  const { project, silence, now, home } = await loadSilence(c, 'write')
  const { user } = requireUser(c)
  const sent = await formOf(c)
  const form = sentForm(sent)
  if (sent.has('preview')) return await c.html(await silenceFormPage(c, project, silence, form, null))
  const asked = readSilenceForm(form, user.timezone)
  if ('problem' in asked) {
    const problem = { field: asked.field, message: asked.problem }
    return await c.html(await silenceFormPage(c, project, silence, form, problem), 400)
  }
  return await tryForm(
    c,
    async () => {
      await c.var.deps.store.silences.update(project.id, silence.id, { ...asked, now })
      setFlash(c, 'good', 'Saved the silence.')
      return seeOther(c, home)
    },
    problem => silenceFormPage(c, project, silence, form, problem),
  )
}
