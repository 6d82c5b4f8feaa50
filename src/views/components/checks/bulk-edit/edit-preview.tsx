import { changesCheck, type PlannedEdit } from '../../../../core/checks/bulk-edit/edit-check.js'
import type { EditErrors, EditForm } from '../../../../core/checks/bulk-edit/edit-form.js'
import { goesDownBy } from '../../../../core/checks/bulk-edit/expected-around.js'
import { plural } from '../../../../core/text/plural.js'
import { link, type PageContext } from '../../../page-context.js'
import { Button, ButtonLink } from '../../forms/button.js'
import { Table } from '../../table.js'
import type { EditNames } from './edit-lines.js'
import { EditRow } from './edit-row.js'

export interface PreviewProps {
  page: PageContext
  /** The chosen checks with what becomes of them; before anything is chosen to be changed, as they are. */
  rows: readonly PlannedEdit[]
  errors: EditErrors
  names: EditNames
  /** The UUIDs of those that somebody else has changed since they were last shown. */
  changedSince: ReadonlySet<string>
  /** The number of chosen checks that are not there any more. */
  gone: number
  /** Why nothing was changed although that was asked for. */
  refusal: string | null
  /** Stands for the change that the rows show. */
  shown: string
  isMixed: boolean
  /** Whether anything is chosen to be changed. */
  isChosen: boolean
  /** Where cancelling leads. */
  back: string
}

/** What a change makes of each check, and the button that applies it. */
export function EditPreview(props: PreviewProps) {
  const { page, rows, errors, gone, refusal, shown, changedSince } = props
  const changing = rows.filter(({ outcome }) => changesCheck(outcome))
  const impossible = rows.filter(({ outcome }) => 'problem' in outcome)
  const others = rows.filter(row => !changing.includes(row) && !impossible.includes(row))
  return (
    <div id="edit-preview">
      <input type="hidden" name="shown" value={shown} />
      {refusal ? <p class="flash flash-bad edit-refusal">{refusal}</p> : null}
      {gone > 0 ? (
        <p class="notice">No longer there: {plural(gone, 'check')}, deleted or moved by others.</p>
      ) : null}
      {changedSince.size > 0 ? (
        <p class="notice">Changed by others since: {plural(changedSince.size, 'check')}, marked below.</p>
      ) : null}
      {errors.channels ? <p class="error">{errors.channels}</p> : null}
      <Table
        class="edit-rows"
        caption="What changes"
        columns={[
          { title: 'Check', name: 'edit-name' },
          { title: 'Change', grow: true, name: 'edit-change' },
          { title: 'Expected', name: 'edit-next' },
        ]}
      >
        {[...impossible, ...changing, ...others].map(row => (
          <EditRow {...props} row={row} />
        ))}
      </Table>
      <div class="form-end edit-end">
        {changing.length > 0 ? (
          <Button look="primary" name="apply" value="1">
            Change {plural(changing.length, 'check')}
          </Button>
        ) : null}
        <Button name="preview" value="1">
          Preview
        </Button>
        <ButtonLink look="quiet" href={link(page, props.back)}>
          Cancel
        </ButtonLink>
      </div>
    </div>
  )
}

/** What a change makes of the checks together, in one sentence. */
export function editSummary(
  rows: readonly PlannedEdit[],
  isChosen: boolean,
  form: EditForm,
  errors: EditErrors,
  now: number,
): string {
  const inputs = Object.keys(errors) as (keyof EditErrors)[]
  const wrong = inputs.length
  if (wrong > 0 && inputs.every(input => form[input].length === 0)) return 'Fill in what you have chosen.'
  if (wrong > 0) return wrong === 1 ? 'Correct the field below.' : `Correct the ${wrong} fields below.`
  if (!isChosen) return 'Choose what to change. Nothing changes before you apply it.'
  const changing = rows.filter(({ outcome }) => changesCheck(outcome)).length
  const impossible = rows.filter(({ outcome }) => 'problem' in outcome).length
  const same = rows.length - changing - impossible
  const falling = rows.filter(
    ({ check, outcome }) => 'settings' in outcome && goesDownBy(check, outcome.settings, now),
  ).length
  const parts = [
    `${plural(changing, 'check')} ${changing === 1 ? 'changes' : 'change'}`,
    ...(falling > 0 ? [`${falling} ${falling === 1 ? 'goes' : 'go'} down at once`] : []),
    ...(impossible > 0
      ? [`${impossible} cannot and ${impossible === 1 ? 'stays as it is' : 'stay as they are'}`]
      : []),
    ...(same > 0 ? [`for ${same} nothing changes`] : []),
  ]
  return `${parts.join('; ')}.`
}
