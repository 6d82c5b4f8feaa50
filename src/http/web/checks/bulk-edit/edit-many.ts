import { createHash } from 'node:crypto'
import { type EditedMany, editChecks } from '../../../../actions/checks/edit-checks.js'
import { previewEdits } from '../../../../actions/checks/preview-edits.js'
import type { BulkEdit, PlannedEdit } from '../../../../core/checks/bulk-edit/edit-check.js'
import {
  commonKind,
  type EditErrors,
  readEdit,
  sentEdit,
} from '../../../../core/checks/bulk-edit/edit-form.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import { plural } from '../../../../core/text/plural.js'
import { sentence } from '../../../../core/text/sentence.js'
import { seeOther, type WebContext } from '../../context.js'
import { setFlash } from '../../flash.js'
import { cut, formOf } from '../../form.js'
import { requireUser } from '../../people/session.js'
import { leftWords } from '../left-words.js'
import { editPage } from './edit-page.js'
import { chosenChecks, editScope } from './edit-scope.js'

/** The most checks that are edited at once. */
const MOST_CHECKS = 2_000

const LOOK_AGAIN = 'Nothing was changed: checks have changed since you looked. Look at the changes again.'
const LOOK_FIRST = 'Nothing was changed yet: these changes were not shown before. Look at them first.'

/** POST: the form that changes the chosen checks, with a preview; or makes the change that was previewed. */
export async function editMany(c: WebContext): Promise<Response> {
  const scope = await editScope(c)
  const sent = await formOf(c)
  const search = new URL(c.req.url).search
  const home = scope.here + search
  const chosen = await chosenChecks(c, scope, sent)
  if (chosen.size === 0 || chosen.size > MOST_CHECKS) {
    const most = `At most ${MOST_CHECKS} checks can be edited at once: filter the list.`
    setFlash(c, 'bad', chosen.size === 0 ? 'Choose at least one check.' : most)
    return seeOther(c, home)
  }
  const asked = sentEdit(cut(sent.all, 2_000))
  const { store, clock } = c.var.deps
  const projectIds = scope.projects.map(({ id }) => id)
  const targets = new Map(scope.writable.map(({ uuid, id }) => [uuid, id]))
  const read = readEdit(asked, targets)
  const edit = 'edit' in read ? read.edit : { timing: {} }
  const rows = await previewEdits(store, { projectIds, uuids: [...chosen.keys()], edit })
  const form = sent.has('kind') ? asked : { ...asked, kind: commonKind(rows.map(({ check }) => check.kind)) }
  const errors = 'errors' in read ? read.errors : await moveErrors(c, rows, edit)
  const shown = digest(edit)
  const isShown = sent.text('shown') === shown
  let refusal: string | null = null
  const isRefused = sent.has('apply') && Object.keys(errors).length > 0
  if (sent.has('apply') && !isRefused) {
    const userId = requireUser(c).user.id
    const asked = { projectIds, seen: chosen, rows, edit, userId }
    const done = isShown ? await editChecks(store, clock, asked) : null
    if (done && (done.stop === null || done.done > 0)) {
      const target = scope.writable.find(({ id }) => id === edit.target)
      const moves = target ? `${plural(done.moving, 'check')} to ${projectLabel(target)}` : ''
      const undo = done.undo && {
        uuid: done.undo.uuid,
        project: scope.projects.find(({ id }) => id === done.undo!.projectId)!.uuid,
      }
      setFlash(c, done.stop === null ? 'good' : 'bad', doneWords(done, moves), undo ?? undefined)
      return seeOther(c, home)
    }
    refusal = isShown ? LOOK_AGAIN : LOOK_FIRST
  }
  return await editPage(c, scope, { search, form, errors, rows, chosen, isShown, shown, refusal, isRefused })
}

function doneWords({ changed, moving, ...done }: EditedMany, moves: string): string {
  const left = leftWords(done)
  const parts = [
    ...(changed > 0 || moving === 0 ? [`Changed ${plural(changed, 'check')}.`] : []),
    ...(moving > 0 ? [`Moving ${moves} in a few seconds.`] : []),
    ...(left === null ? [] : [left]),
  ]
  return parts.join(' ')
}

/** The error of a move to an account that has no place for the checks. */
async function moveErrors(c: WebContext, rows: readonly PlannedEdit[], edit: BulkEdit): Promise<EditErrors> {
  const { store } = c.var.deps
  const counts = new Map<number, number>()
  for (const { projectId, outcome } of rows) {
    if ('problem' in outcome || !outcome.moves) continue
    counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  }
  for (const [projectId, count] of counts) {
    const reason = await store.checks.reasonNotToMove(projectId, edit.target!, count)
    if (reason) return { project: sentence(reason) }
  }
  return {}
}

/** Stands for a change. */
function digest(edit: BulkEdit): string {
  return createHash('sha256').update(JSON.stringify(edit)).digest('base64url').slice(0, 12)
}
