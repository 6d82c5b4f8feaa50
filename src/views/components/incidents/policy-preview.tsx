import type { PolicyRules } from '../../../core/incidents/policy.js'
import type { PolicyErrors } from '../../../core/incidents/policy-form.js'
import type { PolicyNames } from '../../../core/incidents/policy-words.js'
import { PolicyPicture } from './policy-picture.js'

interface Props {
  /** The rules as typed, or what is wrong with them. */
  rules: PolicyRules | { errors: PolicyErrors }
  names: PolicyNames
}

/** What a policy does as it is typed. */
export function PolicyPreview({ rules, names }: Props) {
  return (
    <div class="preview">
      {'errors' in rules ? (
        <p class="muted">A preview is shown here once every field is valid.</p>
      ) : (
        <PolicyPicture policy={rules} names={names} />
      )}
    </div>
  )
}
