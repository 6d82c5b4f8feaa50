import { POLICY_LIMITS, type PolicyRules } from '../../../core/incidents/policy.js'
import type { PolicyErrors, PolicyForm, PolicyStepForm } from '../../../core/incidents/policy-form.js'
import type { PolicyNames } from '../../../core/incidents/policy-words.js'
import { Button } from '../../components/forms/button.js'
import { Choice } from '../../components/forms/choice.js'
import { Field, Tick } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { FormProblem } from '../../components/forms/form-problem.js'
import { Picks } from '../../components/forms/picks.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PreviewedPart } from '../../components/forms/previewed-part.js'
import { WrongFields } from '../../components/forms/wrong-fields.js'
import { PolicyPreview } from '../../components/incidents/policy-preview.js'
import { ManagedBy } from '../../components/managed-by.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  projectUuid: string
  /** The policy to edit; null for a new one. */
  policy: { id: number; name: string } | null
  /** The file of configuration that owns it. */
  managedBy: string | null
  form: PolicyForm
  errors: PolicyErrors
  /** What is wrong with the form as a whole. */
  problem: string | null
  /** The field with the initial focus. */
  focus: string
  /** The rules as typed, or what is wrong with them. */
  rules: PolicyRules | { errors: PolicyErrors }
  /** The integrations that can be chosen. */
  channels: readonly { uuid: string; name: string }[]
  names: PolicyNames
}

/** All settings of a policy, for a new one and for an existing one. */
export function PolicyFormPage(props: Props) {
  const { page, projectUuid, policy, form, errors, problem } = props
  const home = `/projects/${projectUuid}/policies/`
  const title = policy ? `Edit ${policy.name}` : 'New policy'
  return (
    <Layout
      page={page}
      title={title}
      section="integrations"
      parent={{ path: home, label: 'Policies' }}
      scripts={['preview']}
    >
      <PageHead title={title} />
      <ManagedBy file={props.managedBy} />
      <WrongFields count={Object.keys(errors).length} />
      <PostForm
        page={page}
        action={policy ? `${home}${policy.id}/edit/` : `${home}add/`}
        class="check-form policy-form"
      >
        {/* Enter in a field presses the first button of its form, which must not add or remove a step. */}
        <button type="submit" hidden />
        <FormProblem problem={problem === null ? null : { field: null, message: problem }} />
        <section class="form-part">
          <h2>Details</h2>
          <div class="form">
            <Field
              label="Name"
              {...inputOf(props, 'name', form.name)}
              maxlength={POLICY_LIMITS.nameLength}
              placeholder="On call"
            />
            <Tick
              name="default"
              checked={form.isDefault}
              label="Default of this project"
              help="It applies to checks without a policy of their own."
            />
          </div>
        </section>
        <Rules {...props} />
        <FormEnd page={page} cancel={home}>
          <Button look="primary">{policy ? 'Save' : 'Create policy'}</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}

/** What a text field needs. */
function inputOf({ errors, focus }: Pick<Props, 'errors' | 'focus'>, name: string, value: string) {
  return { name, value, error: errors[name], autofocus: focus === name }
}

function Rules(props: Props) {
  const { page, projectUuid, form, errors, rules, names } = props
  return (
    <PreviewedPart
      title="Who is alerted, and when"
      address={link(page, `/projects/${projectUuid}/policies/preview/`)}
      preview={<PolicyPreview rules={rules} names={names} />}
    >
      {errors.steps ? <p class="error">{errors.steps}</p> : null}
      {form.steps.map((step, index) => (
        <Step {...props} step={step} index={index} />
      ))}
      {form.steps.length < POLICY_LIMITS.steps ? (
        <div class="form-end">
          <Button small name="add" value="1">
            Add a step
          </Button>
        </div>
      ) : null}
      <Repeats {...props} />
    </PreviewedPart>
  )
}

function Step(props: Props & { step: PolicyStepForm; index: number }) {
  const { form, errors, channels, step, index } = props
  const who = `who-${index}`
  return (
    <fieldset class="policy-step">
      <legend>Step {index + 1}</legend>
      <Field
        label="When"
        {...inputOf(props, `after-${index}`, step.after)}
        help={index === 0 ? '“At once”, or how long after the check went down: 15 min, 1 h' : undefined}
        placeholder="15 min"
        narrow
      />
      <div>
        <Choice name={who} value="check" now={step.who} label="The check’s own integrations" />
        <Choice name={who} value="named" now={step.who} label="These integrations">
          {channels.length === 0 ? (
            <p class="muted">This project has no integration yet.</p>
          ) : (
            <Picks
              legend={`Integrations of step ${index + 1}`}
              name={`channel-${index}`}
              options={channels}
              chosen={step.channels}
              error={errors[`channel-${index}`]}
            />
          )}
        </Choice>
      </div>
      {form.steps.length > 1 ? (
        <div class="form-end">
          <Button small look="quiet" name="remove" value={String(index)}>
            Remove step {index + 1}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}

function Repeats(props: Props) {
  const { form } = props
  return (
    <div class="choice">
      <Tick
        name="repeats"
        checked={form.repeats}
        label="Repeat"
        help="Alerts all previous integrations again until someone acknowledges the incident or the check is up."
      />
      <div class="choice-fields form">
        <div class="form-row">
          <Field label="Every" {...inputOf(props, 'every', form.every)} help="At least 5 minutes" />
          <Field
            label="Number of times"
            {...inputOf(props, 'times', form.times)}
            inputmode="numeric"
            help="1 to 100"
          />
        </div>
      </div>
    </div>
  )
}
