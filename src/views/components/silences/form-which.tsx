import { TagsField } from '../checks/tags-field.js'
import { Choice } from '../forms/choice.js'
import { errorOf } from '../forms/form-problem.js'
import { Picks } from '../forms/picks.js'
import { inputOf, type SilenceFormProps } from './form-props.js'

/** The checks that a silence concerns. */
export function SilenceWhichPart({ form, problem, checks, tags }: SilenceFormProps) {
  const input = inputOf({ form, problem })
  return (
    <section class="form-part">
      <h2>Which checks</h2>
      <div>
        <Choice name="scope" value="project" now={form.scope} label="All checks" />
        <Choice name="scope" value="tags" now={form.scope} label="Checks with a tag">
          <TagsField
            {...input('tags')}
            placeholder="db eu"
            help="Checks with at least one of these tags, now or later."
            known={tags}
            list="known-tags"
          />
        </Choice>
        {checks.length > 0 ? (
          <Choice name="scope" value="checks" now={form.scope} label="These checks">
            <Picks
              legend="Checks"
              name="check"
              options={checks}
              chosen={form.checks}
              error={errorOf(problem, 'checks')}
            />
          </Choice>
        ) : null}
      </div>
    </section>
  )
}
