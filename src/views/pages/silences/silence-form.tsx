import type { SilenceTimes } from '../../../core/silences/silence.js'
import type { SilenceForm } from '../../../core/silences/silence-form.js'
import type { SilenceProblem } from '../../../core/silences/silence-problem.js'
import { Button } from '../../components/forms/button.js'
import { Choice } from '../../components/forms/choice.js'
import { Field, TextArea, Tick } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { Picks } from '../../components/forms/picks.js'
import { PostForm } from '../../components/forms/post-form.js'
import { ZoneField } from '../../components/forms/zone-field.js'
import { PageHead } from '../../components/page-head.js'
import { WindowsPreview } from '../../components/silences/windows-preview.js'
import { Layout } from '../../layout.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'

interface Props {
  page: PageContext
  projectUuid: string
  /** The silence to edit; null for a new one. */
  silence: { id: number; label: string; hasBegun: boolean } | null
  form: SilenceForm
  problem: Problem | null
  /** The times as typed, or the problem with them. */
  times: SilenceTimes | SilenceProblem
  /** The checks and integrations that can be chosen. */
  checks: readonly { uuid: string; name: string }[]
  channels: readonly { uuid: string; name: string }[]
  zones: readonly string[]
}

/** All settings of a silence, for a new one and for an existing one. */
export function SilenceFormPage(given: Props) {
  const props = { ...given, problem: shownProblem(given) }
  const { page, projectUuid, silence, problem } = props
  const home = `/projects/${projectUuid}/silences/`
  const title = silence ? `Edit ${silence.label}` : 'New silence'
  return (
    <Layout page={page} title={title} section="silences" scripts={['preview']}>
      <PageHead title={title} />
      <PostForm
        page={page}
        action={silence ? `${home}${silence.id}/edit/` : `${home}add/`}
        class="check-form silence-form"
      >
        {/* Enter in a field presses the first button of its form, which must not be the preview. */}
        <button type="submit" hidden />
        <FormProblem problem={problem} />
        <When {...props} />
        <Which {...props} />
        <How {...props} />
        <section class="form-part">
          <h2>Why</h2>
          <div class="form">
            <Field
              label="Reason"
              {...inputOf(props)('reason')}
              maxlength={200}
              placeholder="Backup window"
              help="Shown wherever it holds something."
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

/** The name, the value and the error of a text in the form. */
function inputOf({ form, problem }: Pick<Props, 'form' | 'problem'>) {
  return (name: 'from' | 'to' | 'schedule' | 'duration' | 'timezone' | 'tags' | 'reason') => ({
    name,
    value: form[name],
    error: errorOf(problem, name),
  })
}

/** A list with nothing to choose from is not shown, so the form as a whole has its error. */
function shownProblem({ problem, checks, channels }: Props): Problem | null {
  const isHidden =
    (problem?.field === 'checks' && checks.length === 0) ||
    (problem?.field === 'channels' && channels.length === 0)
  if (!problem || !isHidden) return problem
  return {
    field: null,
    message: `This project has no ${problem.field === 'checks' ? 'check' : 'integration'}.`,
  }
}

function When({ page, silence, form, problem, times, zones }: Props) {
  const zone = zoneOf(page)
  const input = inputOf({ form, problem })
  return (
    <section class="form-part with-preview">
      <h2>When</h2>
      <div class="form">
        {silence?.hasBegun ? (
          <input type="hidden" name="from" value={form.from} />
        ) : (
          <LocalField label={`From, ${zone}`} {...input('from')} help="Empty: now." />
        )}
        <div>
          <Choice name="when" value="once" now={form.when} label="Once">
            <LocalField label={`Until, ${zone}`} {...input('to')} />
          </Choice>
          <Choice name="when" value="recurring" now={form.when} label="Recurring">
            <TextArea
              label="Windows begin at"
              {...input('schedule')}
              placeholder="0 2 * * sun"
              help="A cron expression, or OnCalendar expressions such as Sun 02:00, one a line."
              rows={2}
              mono
            />
            <div class="form-row">
              <Field
                label="Length of each"
                {...input('duration')}
                placeholder="2 hours"
                help="At most 7 days."
              />
              <ZoneField label="Time zone" {...input('timezone')} zones={zones} />
            </div>
          </Choice>
        </div>
        <div class="form-end">
          <Button small name="preview" value="1">
            Preview
          </Button>
        </div>
      </div>
      <div class="preview-pane" data-preview={link(page, '/silences/preview/')} aria-live="polite">
        <WindowsPreview page={page} times={times} />
      </div>
    </section>
  )
}

function Which({ form, problem, checks }: Props) {
  const input = inputOf({ form, problem })
  return (
    <section class="form-part">
      <h2>Which checks</h2>
      <div>
        <Tick
          type="radio"
          name="scope"
          value="project"
          checked={form.scope === 'project'}
          label="All checks"
        />
        <Choice name="scope" value="tags" now={form.scope} label="Checks with a tag">
          <Field
            label="Tags"
            {...input('tags')}
            placeholder="db eu"
            help="Checks with at least one of them, also those that get it later."
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

function How({ form, problem, channels }: Props) {
  return (
    <section class="form-part">
      <h2>What happens</h2>
      <div class="form">
        <div>
          <Tick
            type="radio"
            name="mode"
            value="hold"
            checked={form.mode === 'hold'}
            label="Hold alerts"
            help="What is still down at the end is sent then. Recoveries of what was sent before are sent at once."
          />
          <Tick
            type="radio"
            name="mode"
            value="expect_nothing"
            checked={form.mode === 'expect_nothing'}
            label="Hold alerts, and expect no runs"
            help="A run that should have begun in this time is not missed."
          />
        </div>
        {channels.length > 0 ? (
          <div>
            <Tick
              type="radio"
              name="held"
              value="all"
              checked={form.held === 'all'}
              label="For all integrations"
            />
            <Choice name="held" value="some" now={form.held} label="Only for some">
              <Picks
                legend="Integrations"
                name="channel"
                options={channels}
                chosen={form.channels}
                error={errorOf(problem, 'channels')}
              />
            </Choice>
          </div>
        ) : null}
      </div>
    </section>
  )
}

interface LocalProps {
  label: string
  name: string
  value: string
  help?: string
  error: string | undefined
}

function LocalField(props: LocalProps) {
  return <Field type="datetime-local" {...props} />
}
