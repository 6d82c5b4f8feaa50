import { NEW_FORM, readCheckForm } from '../../../core/checks/check-form.js'
import { slugify } from '../../../core/checks/slugify.js'
import { Refusal } from '../../../core/errors.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { formPage, isPreview, linkErrorsOf, sentCheckForm, sentLinks } from './form-page.js'

/** GET: the form of a new check. */
export async function showAdd(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const form = { ...NEW_FORM, tz: requireUser(c).user.timezone }
  return await formPage(c, project, null, form, {}, null)
}

/** POST: creates a check and redirects to its page, which shows the address to copy. */
export async function add(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const sent = await formOf(c)
  const form = sentCheckForm(sent)
  if (isPreview(sent)) return await formPage(c, project, null, form, {}, sent)
  const read = readCheckForm(form)
  if ('errors' in read) return await formPage(c, project, null, form, read.errors, sent)
  const { store, clock } = c.var.deps
  const links = sentLinks(sent, await store.channels.list(project.id), null)
  try {
    const { check } = await store.checks.create(project.id, {
      changes: { ...read.changes, slug: read.changes.slug || slugify(read.changes.name ?? '') },
      ...links,
      channels: links.channels ?? '*',
      unique: null,
      now: clock.now(),
    })
    return seeOther(c, `/checks/${check.uuid}/details/`)
  } catch (error) {
    const wrong = linkErrorsOf(error)
    if (wrong !== null) return await formPage(c, project, null, form, {}, sent, wrong)
    if (!(error instanceof Refusal) || error.code !== 'limit') throw error
    setFlash(c, 'bad', `The check was not created: ${error.message}.`)
    return seeOther(c, `/projects/${project.uuid}/checks/`)
  }
}
