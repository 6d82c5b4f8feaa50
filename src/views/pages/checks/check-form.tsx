import { type CheckForm, fieldsOf, usesPart } from '../../../core/checks/check-form.js'
import { alertWords } from '../../../core/checks/health/alert-words.js'
import { AlertsPart, type AlertsPartProps } from '../../components/checks/form/alerts-part.js'
import { SchedulePart, type SchedulePartProps } from '../../components/checks/form/schedule-part.js'
import { Disclosure } from '../../components/disclosure.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Tick, TickGroup } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { PostForm } from '../../components/forms/post-form.js'
import { SettingFields } from '../../components/forms/setting-fields.js'
import { Suggestions } from '../../components/forms/suggestions.js'
import { WrongFields } from '../../components/forms/wrong-fields.js'
import { ManagedBy } from '../../components/managed-by.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link } from '../../page-context.js'

interface Props extends Omit<SchedulePartProps, 'focus'>, Omit<AlertsPartProps, 'policyError'> {
  /** The check to edit; null for a new one. */
  check: { uuid: string; label: string } | null
  /** The other checks of the project, and which of them it depends on. */
  parents: readonly { uuid: string; label: string; on: boolean }[]
  linkErrors: LinkErrors
  /** The tags that are suggested. */
  tags: readonly string[]
  /** The file of configuration that owns the check. */
  managedBy: string | null
  /** Whether the form was sent for the preview of its schedule. */
  previewed: boolean
}

/** What is wrong with the checks that are to be depended on, and with the policy. */
export interface LinkErrors {
  parents?: string
  policy?: string
}

/** All settings of a check, for a new one and for an existing one. */
export function CheckFormPage(props: Props) {
  const { page, check, project } = props
  const back = check ? `/checks/${check.uuid}/details/` : `/projects/${project.uuid}/checks/`
  const action = check ? `/checks/${check.uuid}/edit/` : `/projects/${project.uuid}/checks/add/`
  const title = check ? `Edit ${check.label}` : 'New check'
  const wrong = Object.keys(props.errors).length + Object.keys(props.linkErrors).length
  return (
    <Layout
      title={title}
      page={page}
      section="checks"
      parent={check ? { path: back, label: check.label } : 'checks'}
      scripts={['schedule-preview', 'words']}
    >
      <PageHead title={title}>
        {check ? null : (
          <ButtonLink href={link(page, `/projects/${project.uuid}/checks/crontab/`)}>
            Paste a crontab
          </ButtonLink>
        )}
      </PageHead>
      <ManagedBy file={props.managedBy} />
      <WrongFields count={wrong} />
      <PostForm page={page} action={action} class="check-form sticky-end" id="check-form">
        {/* Enter in a field presses the first button of its form, which must not be the preview. */}
        <button type="submit" hidden />
        <Names {...props} />
        <SchedulePart {...props} focus={focusOf(props)} />
        <Runs {...props} />
        <Rules {...props} />
        {props.parents.length > 0 ? <Dependencies {...props} /> : null}
        <AlertsPart {...props} policyError={props.linkErrors.policy} />
        <FormEnd page={page} cancel={back}>
          <Button look="primary">{check ? 'Save' : 'Create check'}</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}

/** The fields that can have errors, in their order on the page. */
const FIELDS: readonly (keyof CheckForm)[] = [
  ...namesOf('names'),
  'period',
  'cron',
  'oncalendar',
  ...namesOf('timing'),
  'tz',
  ...namesOf('runs'),
  ...namesOf('rules'),
  ...namesOf('dependencies'),
]

function namesOf(part: Parameters<typeof fieldsOf>[0]) {
  return fieldsOf(part).map(({ name }) => name)
}

/** Sets the focus to the first field with an error; without one to the previewed schedule, or the name. */
function focusOf({ errors, linkErrors, previewed, form }: Props) {
  const start = previewed ? (form.kind === 'simple' ? 'period' : form.kind) : 'name'
  const isOnlyLink = Object.keys(linkErrors).length > 0
  const first = FIELDS.find(field => errors[field]) ?? (isOnlyLink ? null : start)
  return (field: keyof CheckForm) => ({ autofocus: field === first })
}

/** What the plain fields of every part of the form need. */
function fieldProps(props: Props) {
  const { check, form, errors } = props
  return { form, errors, isNew: check === null, focus: focusOf(props) }
}

function Names(props: Props) {
  return (
    <section class="form-part">
      <h2>Details</h2>
      <div class="form">
        <SettingFields part="names" {...fieldProps(props)} />
        <Suggestions id="known-tags" values={props.tags} />
      </div>
    </section>
  )
}

function isOpen(part: Parameters<typeof fieldsOf>[0], { form, errors }: Props): boolean {
  return usesPart(part, form) || namesOf(part).some(name => errors[name])
}

function Runs(props: Props) {
  const { timing } = props
  return (
    <section class="form-part" id="runs">
      <Disclosure summary="Runs and tolerance" open={isOpen('runs', props)}>
        <div class="form">
          <p id="alert-words" class="alert-words" aria-live="polite">
            {'errors' in timing
              ? 'When it alerts is shown here once every field is valid.'
              : alertWords(timing)}
          </p>
          <SettingFields part="runs" {...fieldProps(props)} />
        </div>
      </Disclosure>
    </section>
  )
}

function Rules(props: Props) {
  return (
    <section class="form-part">
      <Disclosure summary="Ping rules" open={isOpen('rules', props)}>
        <div class="form">
          <SettingFields part="rules" {...fieldProps(props)} />
        </div>
      </Disclosure>
    </section>
  )
}

function Dependencies(props: Props) {
  const { parents, linkErrors } = props
  const uses =
    linkErrors.parents !== undefined || parents.some(({ on }) => on) || isOpen('dependencies', props)
  return (
    <section class="form-part" id="dependencies">
      <Disclosure summary="Dependencies" open={uses}>
        <div class="form">
          <input type="hidden" name="choose_parents" value="1" />
          <p class="help">
            While one of these checks is down, alerts about this one are held. They are sent if it is still
            down after that one is up again.
          </p>
          <div class="parent-choices">
            <TickGroup label="It depends on" error={linkErrors.parents}>
              {parents.map(({ uuid, label, on }, index) => (
                <Tick
                  name="depends_on"
                  value={uuid}
                  label={label}
                  checked={on}
                  autofocus={index === 0 && linkErrors.parents !== undefined}
                />
              ))}
            </TickGroup>
          </div>
          <SettingFields part="dependencies" {...fieldProps(props)} />
        </div>
      </Disclosure>
    </section>
  )
}
