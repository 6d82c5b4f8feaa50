import { checkLabel } from '../../../core/alerts/alert.js'
import { may } from '../../../core/people/role.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { sentence } from '../../../core/text/sentence.js'
import { Select } from '../../../views/components/forms/field.js'
import type { PageContext } from '../../../views/page-context.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { checkPage } from '../../../views/site-pages.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { setUndoableFlash } from './undoable.js'

/** The projects other than `uuid` in which the reader may change things. */
export function otherProjects({ projects }: PageContext, uuid: string): PageContext['projects'] {
  return projects.filter(project => project.uuid !== uuid && may(project.role, 'write'))
}

/** GET: asks which project a check is to be moved to. */
export async function askTransfer(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const page = await pageContext(c, project)
  const options = otherProjects(page, project.uuid).map(target => ({
    value: target.uuid,
    label: projectLabel(target),
  }))
  return await c.html(
    ConfirmPage({
      page,
      parent: checkPage(known),
      title: `Move ${checkLabel(known)} to another project`,
      text: 'It keeps its ping URL and its log. From then on it alerts all integrations of the other project, and none of this one.',
      action: `/checks/${check.uuid}/transfer/`,
      button: 'Move check',
      danger: false,
      fields: Select({ label: 'Project', name: 'project', options, required: true }),
      back: home,
    }),
  )
}

/** POST: moves a check to another project in which the reader may change things, when it can no longer be undone. */
export async function transfer(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const target = await projectOf(c, (await formOf(c)).text('project'), 'write')
  const reason = await store.checks.reasonNotToMove(project.id, target.id)
  if (reason) {
    setFlash(c, 'bad', sentence(reason))
    return seeOther(c, home)
  }
  const { check: known } = await store.checks.facts(project.id, check.uuid, now)
  const text = `${checkLabel(known)} moves to ${projectLabel(target)} in a few seconds.`
  await setUndoableFlash(c, project, text, { plan: 'move', checks: [check.uuid], target: target.id }, now)
  return seeOther(c, home)
}
