import { capitalize } from '../../../core/text/capitalize.js'
import { plural } from '../../../core/text/plural.js'
import { Choice } from '../forms/choice.js'
import { TickGroup } from '../forms/field.js'

/** What a new channel alerts for: the checks that the project has, of which there are `checks`, or those chosen later. */
export interface AlertForProps {
  checks: number
  forAll: boolean
}

/** Asks for it. A project without checks has nothing to choose. */
export function AlertFor({ checks, forAll }: AlertForProps) {
  if (checks === 0) {
    return (
      <p class="help">
        This project has no checks yet. A new check alerts all its integrations unless you choose otherwise.
      </p>
    )
  }
  const now = forAll ? 'all' : 'none'
  return (
    <TickGroup label="Alert for">
      <Choice name="checks" value="all" now={now} label={capitalize(allChecks(checks))} />
      <Choice name="checks" value="none" now={now} label="Only those I choose later" />
    </TickGroup>
  )
}

/** All checks of a project in words, by their number. */
export function allChecks(checks: number): string {
  return checks === 1 ? 'the only check of the project' : `all ${plural(checks, 'check')} of the project`
}
