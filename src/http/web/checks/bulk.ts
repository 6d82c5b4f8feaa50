import { actUndoably, type UndoableProgress } from '../../../actions/checks/act-undoably.js'
import type { Progress } from '../../../actions/checks/in-slices.js'
import { linkWeights } from '../../../actions/checks/link-weights.js'
import { tagChecks } from '../../../actions/checks/tag-checks.js'
import { snoozeChecks, snoozeEnd } from '../../../actions/silences/snooze-checks.js'
import { undoableUntil } from '../../../core/checks/undo.js'
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
import { leftWords } from './left-words.js'

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
    const { text, undo, kind = 'good' } = await act(c, project.id, { action, uuids }, form)
    setFlash(c, kind, text, undo === null ? undefined : { project: project.uuid, uuid: undo })
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

/** What was done, and by what it is undone. */
interface Done {
  text: string
  undo: string | null
  kind?: 'bad'
}

async function act(
  c: WebContext,
  projectId: number,
  { action, uuids }: { action: string; uuids: readonly string[] },
  form: Form,
): Promise<Done> {
  const { store, clock } = c.var.deps
  const { user } = requireUser(c)
  const own = { items: uuids, userId: user.id }
  switch (action) {
    case 'pause': {
      const paused = await actUndoably(store, clock, {
        ...own,
        weights: await linkWeights(store, projectId, uuids),
        write: async (some, part, now) =>
          await store.checks.pauseMany(projectId, some, now, undoableUntil(now), part),
        hasChanged: ({ steps }) => steps.length > 0,
      })
      return said(`Paused ${countOf(paused, ({ count }) => count)}`, paused)
    }
    case 'resume': {
      const resumed = await actUndoably(store, clock, {
        ...own,
        weights: uuids.map(() => 1),
        write: async (some, part, now) => await store.checks.resumeMany(projectId, some, now, part),
        hasChanged: ({ steps }) => steps.length > 0,
      })
      return said(`Resumed ${countOf(resumed, ({ count }) => count)}`, resumed)
    }
    case 'delete':
      return await planDeletion(c, projectId, uuids)
    case 'tag':
    case 'untag': {
      const what = action === 'tag' ? 'add' : 'remove'
      const asked = { projectId, uuids, text: form.text('tags'), what, userId: user.id } as const
      const tagged = await tagChecks(store, clock, asked)
      return said(`Changed the tags of ${countOf(tagged, ({ changed }) => changed.length)}`, tagged)
    }
    case 'snooze-3600':
    case 'snooze-14400':
    case 'snooze-tomorrow': {
      const now = clock.now()
      const until = snoozeEnd(action.slice('snooze-'.length), user.timezone, now)
      await snoozeChecks(store, { projectId, uuids, until, by: user.email, now })
      const end = clockWords(until, now, user.timezone)
      return { text: `Snoozed ${plural(uuids.length, 'check')} until ${end}.`, undo: null }
    }
    case 'tell':
    case 'untell': {
      const channel = form.text('channel')
      const on = action === 'tell'
      const switched = await actUndoably(store, clock, {
        ...own,
        weights: await linkWeights(store, projectId, uuids),
        write: async (checks, part, now) => {
          const names = { checks, channel }
          return await store.channels.switchForChecks(projectId, names, on, now, undoableUntil(now), part)
        },
        hasChanged: ({ changed }) => changed.length > 0,
      })
      return said(
        `Changed the integrations of ${countOf(switched, ({ changed }) => changed.length)}`,
        switched,
      )
    }
    default:
      throw new Refusal('invalid', 'there is no such action')
  }
}

/** Only those of the project that there are. */
async function planDeletion(c: WebContext, projectId: number, uuids: readonly string[]): Promise<Done> {
  const { store, clock } = c.var.deps
  const userId = requireUser(c).user.id
  const known = Object.keys(await store.checks.fingerprints(projectId, uuids, clock.now()))
  const planned = await actUndoably(store, clock, {
    items: known,
    weights: known.map(() => 1),
    userId,
    write: async (some, part, now) => {
      const change = { plan: 'delete' as const, checks: [...some] }
      const { uuid } = await store.checks.keepUndo({ projectId, userId, change, now }, part)
      return { count: some.length, uuid }
    },
    hasChanged: ({ count }) => count > 0,
    batchOf: ({ uuid }) => uuid,
  })
  return said(`Deleted ${countOf(planned, ({ count }) => count)}`, planned)
}

function countOf<Result>({ results }: Progress<Result>, count: (result: Result) => number): string {
  return plural(
    results.reduce((sum, result) => sum + count(result), 0),
    'check',
  )
}

function said(text: string, progress: UndoableProgress<unknown>): Done {
  const { undo } = progress
  const left = leftWords(progress)
  return left === null ? { text: `${text}.`, undo } : { text: `${text}. ${left}`, undo, kind: 'bad' }
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
