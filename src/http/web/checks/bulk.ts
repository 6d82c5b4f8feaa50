import { deleteCheck } from '../../../actions/delete-check.js'
import { pauseCheck } from '../../../actions/pause-check.js'
import { resumeCheck } from '../../../actions/resume-check.js'
import { tagChecks } from '../../../actions/tag-checks.js'
import type { CheckDeps } from '../../../actions/tell-of-check.js'
import { Refusal } from '../../../core/errors.js'
import type { ProjectAccess } from '../../../storage/access.js'
import { BulkDeleteFields } from '../../../views/components/bulk-delete-fields.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { type Form, formOf } from '../form.js'
import { pageContext } from '../page-context.js'

/** POST: does something to the checks that were chosen; deleting asks first. */
export async function changeMany(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const form = await formOf(c)
  const uuids = [...new Set(form.all('check'))]
  const home = `/projects/${project.uuid}/checks/${new URL(c.req.url).search}`
  const action = form.text('action')
  if (uuids.length === 0) {
    setFlash(c, 'bad', 'Choose at least one check.')
    return seeOther(c, home)
  }
  if (action === 'delete' && form.text('sure') !== '1') return await askDelete(c, project, uuids, home)
  try {
    setFlash(c, 'good', await act(c, project.id, action, uuids, form))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    setFlash(c, 'bad', `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`)
  }
  return seeOther(c, home)
}

async function act(
  c: WebContext,
  projectId: number,
  action: string,
  uuids: readonly string[],
  form: Form,
): Promise<string> {
  const { store, changes, clock } = c.var.deps
  const deps = { store, changes }
  const each = (write: Write) => eachCheck(deps, projectId, uuids, clock.now(), write)
  switch (action) {
    case 'pause':
      return `Paused ${counted(await each(pauseCheck))}.`
    case 'resume':
      return `Resumed ${counted(await each(resumeCheck))}.`
    case 'delete':
      return `Deleted ${counted(await each(deleteCheck))}.`
    case 'tag':
    case 'untag': {
      const what = action === 'tag' ? 'add' : 'remove'
      const changed = await tagChecks(deps, projectId, uuids, form.text('tags'), what)
      return `Changed the tags of ${counted(changed)}.`
    }
    default:
      throw new Refusal('invalid', 'there is no such action')
  }
}

type Write = (deps: CheckDeps, projectId: number, uuid: string, now: number) => Promise<unknown>

/** Writes all at once, as one batch. What is gone meanwhile, or is not as it should be, is passed over. */
async function eachCheck(
  deps: CheckDeps,
  projectId: number,
  uuids: readonly string[],
  now: number,
  write: Write,
): Promise<number> {
  const outcomes = await Promise.allSettled(uuids.map(uuid => write(deps, projectId, uuid, now)))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !(outcome.reason instanceof Refusal)) throw outcome.reason
  }
  return outcomes.filter(outcome => outcome.status === 'fulfilled').length
}

async function askDelete(
  c: WebContext,
  project: ProjectAccess,
  uuids: readonly string[],
  home: string,
): Promise<Response> {
  return await c.html(
    ConfirmPage({
      page: await pageContext(c, project),
      title: `Delete ${counted(uuids.length)}?`,
      text: 'Their addresses stop working at once, and their logs and badges go with them. This cannot be undone.',
      action: home.replace('/checks/', '/checks/bulk/'),
      button: `Delete ${counted(uuids.length)}`,
      fields: BulkDeleteFields({ uuids }),
      back: home,
    }),
  )
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'check' : 'checks'}`
}
