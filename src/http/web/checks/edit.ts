import { checkLabel } from '../../../core/alerts/alert.js'
import { formOf as formOfCheck, readCheckForm } from '../../../core/checks/check-form.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { formPage, isPreview, linkErrorsOf, sentCheckForm, sentLinks } from './form-page.js'
import { loadCheckForChange } from './load-check-for-change.js'

/** GET: the form with all settings of a check. */
export async function showEdit(c: WebContext): Promise<Response> {
  const { project, check, store, now } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const named = { uuid: check.uuid, label: checkLabel(known), tags: known.tags }
  return await formPage(c, project, named, formOfCheck(known), {}, null)
}

/** POST: changes the settings that differ from the stored ones. */
export async function edit(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const sent = await formOf(c)
  const form = sentCheckForm(sent)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const named = { uuid: check.uuid, label: checkLabel(known), tags: known.tags }
  if (isPreview(sent)) return await formPage(c, project, named, form, {}, sent)
  const read = readCheckForm(form)
  if ('errors' in read) return await formPage(c, project, named, form, read.errors, sent)
  const [all, { channels: before }] = await Promise.all([
    store.channels.list(project.id),
    store.checks.withChannels(project.id, check, now),
  ])
  try {
    const asked = { changes: read.changes, ...sentLinks(sent, all, before), now }
    await store.checks.update(project.id, check.uuid, asked)
  } catch (error) {
    const wrong = linkErrorsOf(error)
    if (wrong === null) throw error
    return await formPage(c, project, named, form, {}, sent, wrong)
  }
  setFlash(c, 'good', 'Saved.')
  return seeOther(c, home)
}
