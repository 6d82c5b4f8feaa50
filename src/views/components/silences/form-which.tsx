import { Choice } from '../forms/choice.js'
import { Field } from '../forms/field.js'
import { errorOf } from '../forms/form-problem.js'
import { Picks } from '../forms/picks.js'
import { inputOf, type SilenceFormProps } from './form-props.js'

/** The checks that a silence concerns. */
export function SilenceWhichPart({ form, problem, checks }: SilenceFormProps) {
  const input = inputOf({ form, problem })
  return (
    <section class="form-part">
      <h2>Which checks</h2>
      <div>
        <Choice name="scope" value="project" now={form.scope} label="All checks" />
        <Choice name="scope" value="tags" now={form.scope} label="Checks with a tag">
          <Field
            label="Tags"
            {...input('tags')}
            placeholder="db eu"
            help="Checks with at least one of these tags, now or later."
            maxlength={500}
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
