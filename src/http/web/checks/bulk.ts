import { tagChecks } from '../../../actions/checks/tag-checks.js'
import { Refusal } from '../../../core/errors.js'
import { plural } from '../../../core/text/plural.js'
import { sentence } from '../../../core/text/sentence.js'
import { clockWords } from '../../../core/time/instant.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { readListQuery } from '../../../views/check-list-query.js'
import { BulkDeleteFields } from '../../../views/components/checks/bulk-delete-fields.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { type Form, formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../people/session.js'
import { snoozeChecks } from '../silences/snooze.js'

/** POST: an action on the selected checks. Deleting asks for confirmation first. */
export async function changeMany(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const form = await formOf(c)
  const all = form.text('all') === '1'
  const uuids = all ? await found(c, project.id) : [...new Set(form.all('check'))]
  const home = `/projects/${project.uuid}/checks/${new URL(c.req.url).search}`
  const action = form.text('action')
  if (uuids.length === 0) {
    setFlash(c, 'bad', 'Choose at least one check.')
    return seeOther(c, home)
  }
  if (action === 'delete' && form.text('sure') !== '1')
    return await askDelete(c, project, { uuids, all }, home)
  try {
    setFlash(c, 'good', await act(c, project.id, action, uuids, form))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    setFlash(c, 'bad', sentence(error.message))
  }
  return seeOther(c, home)
}

/** The checks that match the filters in the address, on all pages of the list. */
async function found(c: WebContext, projectId: number): Promise<string[]> {
  const { store, clock } = c.var.deps
  const query = readListQuery(new URL(c.req.url).searchParams)
  return await store.checks.findUuids(projectId, query, clock.now())
}

async function act(
  c: WebContext,
  projectId: number,
  action: string,
  uuids: readonly string[],
  form: Form,
): Promise<string> {
  const { store, clock } = c.var.deps
  const each = (write: Write) => eachCheck(projectId, uuids, clock.now(), write)
  switch (action) {
    case 'pause':
      return `Paused ${plural(await each(store.checks.pause), 'check')}.`
    case 'resume':
      return `Resumed ${plural(await each(store.checks.resume), 'check')}.`
    case 'delete':
      return `Deleted ${plural(await each(store.checks.delete), 'check')}.`
    case 'tag':
    case 'untag': {
      const what = action === 'tag' ? 'add' : 'remove'
      const changed = await tagChecks(store, projectId, uuids, form.text('tags'), what, clock.now())
      return `Changed the tags of ${plural(changed, 'check')}.`
    }
    case 'snooze-3600':
    case 'snooze-14400':
    case 'snooze-tomorrow': {
      const { user } = requireUser(c)
      const now = clock.now()
      const length = action.slice('snooze-'.length)
      const until = await snoozeChecks(store, { projectId, uuids, length, user, now })
      return `Snoozed ${plural(uuids.length, 'check')} until ${clockWords(until, now, user.timezone)}.`
    }
    case 'tell':
    case 'untell': {
      const names = { checks: uuids, channel: form.text('channel') }
      const changed = await store.channels.switchForChecks(projectId, names, action === 'tell', clock.now())
      return `Changed the integrations of ${plural(changed, 'check')}.`
    }
    default:
      throw new Refusal('invalid', 'there is no such action')
  }
}

type Write = (projectId: number, uuid: string, now: number) => Promise<unknown>

/** Writes all changes in one batch. Skips checks that have been deleted or are not in the expected state. */
async function eachCheck(
  projectId: number,
  uuids: readonly string[],
  now: number,
  write: Write,
): Promise<number> {
  const outcomes = await Promise.allSettled(uuids.map(uuid => write(projectId, uuid, now)))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !(outcome.reason instanceof Refusal)) throw outcome.reason
  }
  return outcomes.filter(outcome => outcome.status === 'fulfilled').length
}

async function askDelete(
  c: WebContext,
  project: ProjectAccess,
  { uuids, all }: { uuids: readonly string[]; all: boolean },
  home: string,
): Promise<Response> {
  return await c.html(
    ConfirmPage({
      page: await pageContext(c, project),
      title: `Delete ${plural(uuids.length, 'check')}?`,
      text: 'Their addresses stop working at once, and their logs and badges go with them. This cannot be undone.',
      action: home.replace('/checks/', '/checks/bulk/'),
      button: `Delete ${plural(uuids.length, 'check')}`,
      fields: BulkDeleteFields({ uuids, all }),
      back: home,
    }),
  )
}
