import { tagChecks } from '../../../actions/checks/tag-checks.js'
import { snoozeChecks, snoozeEnd } from '../../../actions/silences/snooze-checks.js'
import { type Step, type Undoable, undoableUntil } from '../../../core/checks/undo.js'
import { Refusal } from '../../../core/errors.js'
import { plural } from '../../../core/text/plural.js'
import { sentence } from '../../../core/text/sentence.js'
import { clockWords } from '../../../core/time/instant.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { readListQuery } from '../../../views/check-list-query.js'
import { BulkDeleteFields } from '../../../views/components/checks/list/bulk-delete-fields.js'
import { ConfirmPage } from '../../../views/pages/confirm.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { type Form, formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../people/session.js'
import { setUndoableFlash } from './undoable.js'

/** POST: an action on the selected checks. Deleting asks for confirmation first. */
export async function changeMany(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const form = await formOf(c)
  const all = form.text('all') === '1'
  const uuids = all ? await found(c, project) : [...new Set(form.all('check'))]
  const home = `/projects/${project.uuid}/checks/${new URL(c.req.url).search}`
  const action = form.text('action')
  if (uuids.length === 0) {
    setFlash(c, 'bad', 'Choose at least one check.')
    return seeOther(c, home)
  }
  if (action === 'delete' && form.text('sure') !== '1')
    return await askDelete(c, project, { uuids, all }, home)
  try {
    const now = c.var.deps.clock.now()
    const { text, change } = await act(c, project.id, { action, uuids, now }, form)
    if (change) await setUndoableFlash(c, project, text, change, now)
    else setFlash(c, 'good', text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    setFlash(c, 'bad', sentence(error.message))
  }
  return seeOther(c, home)
}

/** The checks that match the filters in the address, on all pages of the list. */
async function found(c: WebContext, project: ProjectAccess): Promise<string[]> {
  const { store, clock } = c.var.deps
  const query = readListQuery(new URL(c.req.url).searchParams)
  return await store.checks.findUuids([project], query, clock.now())
}

async function act(
  c: WebContext,
  projectId: number,
  { action, uuids, now }: { action: string; uuids: readonly string[]; now: number },
  form: Form,
): Promise<{ text: string; change?: Undoable }> {
  const { store } = c.var.deps
  switch (action) {
    case 'pause':
      return switched('Paused', await store.checks.pauseMany(projectId, uuids, now, undoableUntil(now)))
    case 'resume':
      return switched('Resumed', await store.checks.resumeMany(projectId, uuids, now))
    case 'delete':
      return await planDeletion(c, projectId, uuids, now)
    case 'tag':
    case 'untag': {
      const what = action === 'tag' ? 'add' : 'remove'
      const changed = await tagChecks(store, projectId, uuids, form.text('tags'), what, now)
      const steps = changed.map(tags => ({ did: 'tags' as const, ...tags }))
      return { text: `Changed the tags of ${plural(changed.length, 'check')}.`, change: { steps } }
    }
    case 'snooze-3600':
    case 'snooze-14400':
    case 'snooze-tomorrow': {
      const { user } = requireUser(c)
      const until = snoozeEnd(action.slice('snooze-'.length), user.timezone, now)
      await snoozeChecks(store, { projectId, uuids, until, by: user.email, now })
      const end = clockWords(until, now, user.timezone)
      return { text: `Snoozed ${plural(uuids.length, 'check')} until ${end}.` }
    }
    case 'tell':
    case 'untell': {
      const channel = form.text('channel')
      const on = action === 'tell'
      const names = { checks: uuids, channel }
      const { changed } = await store.channels.switchForChecks(projectId, names, on, now, undoableUntil(now))
      const steps = changed.map(check => ({ did: 'channel' as const, check, channel, on }))
      return { text: `Changed the integrations of ${plural(changed.length, 'check')}.`, change: { steps } }
    }
    default:
      throw new Refusal('invalid', 'there is no such action')
  }
}

function switched(
  verb: string,
  { count, steps }: { count: number; steps: Step[] },
): { text: string; change: Undoable } {
  return { text: `${verb} ${plural(count, 'check')}.`, change: { steps } }
}

/** Only those of the project that there are. */
async function planDeletion(
  c: WebContext,
  projectId: number,
  uuids: readonly string[],
  now: number,
): Promise<{ text: string; change: Undoable }> {
  const { store } = c.var.deps
  const known = Object.keys(await store.checks.fingerprints(projectId, uuids, now))
  return { text: `Deleted ${plural(known.length, 'check')}.`, change: { plan: 'delete', checks: known } }
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
      parent: 'checks',
      title: `Delete ${plural(uuids.length, 'check')}?`,
      text: 'Their ping URLs stop working, and their logs and badges are deleted. You can undo this for 10 seconds.',
      action: home.replace('/checks/', '/checks/bulk/'),
      button: `Delete ${plural(uuids.length, 'check')}`,
      fields: BulkDeleteFields({ uuids, all }),
      back: home,
    }),
  )
}
