import { checkLabel } from '../../../../core/alerts/alert.js'
import type { PlannedEdit } from '../../../../core/checks/bulk-edit/edit-check.js'
import { expectedAround } from '../../../../core/checks/bulk-edit/expected-around.js'
import { clockWords, exactWords } from '../../../../core/time/instant.js'
import { type PageContext, zoneOf } from '../../../page-context.js'
import { type EditNames, editLines, timingWords } from './edit-lines.js'

interface Props {
  page: PageContext
  row: PlannedEdit
  names: EditNames
  changedSince: ReadonlySet<string>
  /** Whether the checks are of several projects. */
  isMixed: boolean
  /** Whether anything is chosen to be changed. */
  isChosen: boolean
}

/** A check before and after a change, with its next run. */
export function EditRow({ page, row, names, changedSince, isMixed, isChosen }: Props) {
  const { check, outcome, seen, projectId } = row
  return (
    <tr>
      <td class="edit-name">
        <input type="hidden" name="check" value={`${check.uuid}.${seen}`} />
        <span>{checkLabel(check)}</span>
        {isMixed ? <span class="second">{names.projects.get(projectId)}</span> : null}
        {changedSince.has(check.uuid) ? <span class="second warn">changed by others</span> : null}
      </td>
      <td class="edit-change">
        {'problem' in outcome ? <span class="is-bad">{outcome.problem}</span> : null}
        <Lines page={page} row={row} names={names} isChosen={isChosen} />
      </td>
      <td class="edit-next">
        <Next page={page} row={row} />
      </td>
    </tr>
  )
}

function Lines({ page, row, names, isChosen }: Pick<Props, 'page' | 'row' | 'names' | 'isChosen'>) {
  const lines = editLines(row, names, zoneOf(page))
  if (lines.length === 0 && 'problem' in row.outcome) return null
  if (lines.length === 0) {
    return <span class="muted">{isChosen ? 'stays as it is' : timingWords(row, zoneOf(page))}</span>
  }
  return (
    <>
      {lines.map(({ label, before, after }) => (
        <div class="edit-line">
          <span class="muted">{label}</span>{' '}
          <span>
            {before} <span aria-hidden="true">→</span>
            <span class="sr-only">becomes</span> <b>{after}</b>
          </span>
        </div>
      ))}
    </>
  )
}

function Next({ page, row: { check, outcome } }: Pick<Props, 'page' | 'row'>) {
  const settings = 'problem' in outcome ? {} : outcome.settings
  const { before, after, goesDown } = expectedAround(check, settings, page.now)
  const words = (at: number | null) =>
    at === null ? (
      '–'
    ) : (
      <time datetime={new Date(at).toISOString()} title={exactWords(at, zoneOf(page))}>
        {clockWords(at, page.now, zoneOf(page))}
      </time>
    )
  return (
    <>
      {before === after ? (
        words(before)
      ) : (
        <>
          {words(before)} <span aria-hidden="true">→</span>
          <span class="sr-only">becomes</span> <b>{words(after)}</b>
        </>
      )}
      {goesDown ? <span class="second is-bad">goes down at once</span> : null}
    </>
  )
}
