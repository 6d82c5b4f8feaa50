import { Button } from '../../components/forms/button.js'
import { Field } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { ManagedBy } from '../../components/managed-by.js'
import { PageHead } from '../../components/page-head.js'
import { SilenceHowPart } from '../../components/silences/form-how.js'
import { inputOf, type SilenceFormProps } from '../../components/silences/form-props.js'
import { SilenceWhenPart } from '../../components/silences/form-when.js'
import { SilenceWhichPart } from '../../components/silences/form-which.js'
import { Layout } from '../../layout.js'

/** All settings of a silence, for a new one and for an existing one. */
export function SilenceFormPage(given: SilenceFormProps) {
  const props = { ...given, problem: shownProblem(given) }
  const { page, projectUuid, silence, problem } = props
  const home = `/projects/${projectUuid}/silences/`
  const title = silence ? `Edit ${silence.label}` : 'New silence'
  return (
    <Layout page={page} title={title} section="silences" parent="silences" scripts={['preview', 'words']}>
      <PageHead title={title} />
      <ManagedBy file={props.managedBy} />
      <PostForm
        page={page}
        action={silence ? `${home}${silence.id}/edit/` : `${home}add/`}
        class="check-form silence-form"
      >
        {/* Enter in a field presses the first button of its form, which must not be the preview. */}
        <button type="submit" hidden />
        <FormProblem problem={problem} />
        <SilenceWhenPart {...props} />
        <SilenceWhichPart {...props} />
        <SilenceHowPart {...props} />
        <section class="form-part">
          <h2>Why</h2>
          <div class="form">
            <Field
              label="Reason"
              {...inputOf(props)('reason')}
              maxlength={200}
              placeholder="Backup window"
              help="Shown wherever an alert is held by this silence."
            />
          </div>
        </section>
        <FormEnd page={page} cancel={home}>
          <Button look="primary">{silence ? 'Save' : 'Create silence'}</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}

/** A list with nothing to choose from is not shown, so the form as a whole has its error. */
function shownProblem({ problem, checks, channels }: SilenceFormProps): Problem | null {
  const isHidden =
    (problem?.field === 'checks' && checks.length === 0) ||
    (problem?.field === 'channels' && channels.length === 0)
  if (!problem || !isHidden) return problem
  return {
    field: null,
    message: `This project has no ${problem.field === 'checks' ? 'check' : 'integration'}.`,
  }
}
