import type { PropsWithChildren } from 'hono/jsx'
import type { CheckKind } from '../../../core/checks/check.js'
import type { Settings } from '../../../core/checks/check-fields.js'
import { type CheckForm, type FormErrors, fieldsOf, usesPart } from '../../../core/checks/check-form.js'
import { alertWords } from '../../../core/checks/health/alert-words.js'
import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import type { ShownChannel } from '../../components/channels/channel-toggle.js'
import { SchedulePreview } from '../../components/checks/schedule-preview.js'
import { Disclosure } from '../../components/disclosure.js'
import { Button } from '../../components/forms/button.js'
import { Field, Select, TextArea, Tick, TickGroup } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { PostForm } from '../../components/forms/post-form.js'
import { SettingFields } from '../../components/forms/setting-fields.js'
import { WrongFields } from '../../components/forms/wrong-fields.js'
import { ZoneField } from '../../components/forms/zone-field.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  /** The check to edit; null for a new one. */
  check: { uuid: string; label: string } | null
  project: { uuid: string }
  form: CheckForm
  errors: FormErrors
  /** A check with the schedule as typed, or the problem with it. */
  timing: Settings | { errors: FormErrors }
  zones: readonly string[]
  /** The silences that concern the check and are not over. */
  silences: readonly ShownSilence[]
  /** For a new check: the available channels, and the selected ones. */
  channels: readonly (ShownChannel & { on: boolean })[]
  /** The other checks of the project, and which of them it depends on. */
  parents: readonly { uuid: string; label: string; on: boolean }[]
  linkErrors: LinkErrors
  /** The policies of the project, and the one that the check names. */
  policies: readonly { id: number; name: string; isDefault: boolean }[]
  policy: number | null
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
    <Layout title={title} page={page} section="checks" scripts={['schedule-preview']}>
      <PageHead title={title} />
      <WrongFields count={wrong} />
      <PostForm page={page} action={action} class="check-form" id="check-form">
        {/* Enter in a field presses the first button of its form, which must not be the preview. */}
        <button type="submit" hidden />
        <Names {...props} />
        <Schedule {...props} />
        <Runs {...props} />
        <Rules {...props} />
        {props.parents.length > 0 ? <Dependencies {...props} /> : null}
        {props.channels.length > 0 || props.policies.length > 0 ? <Alerts {...props} /> : null}
        <FormEnd page={page} cancel={back}>
          <Button look="primary">{check ? 'Save' : 'Make the check'}</Button>
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

/** Sets the focus to the first field with an error, or to the name if there is none. */
function focusOf(errors: FormErrors) {
  const first = FIELDS.find(field => errors[field]) ?? 'name'
  return (field: keyof CheckForm) => ({ autofocus: field === first })
}

/** What the plain fields of every part of the form need. */
function fieldProps({ check, form, errors }: Props) {
  return { form, errors, isNew: check === null, focus: focusOf(errors) }
}

function Names(props: Props) {
  return (
    <section class="form-part">
      <h2>What it is called</h2>
      <div class="form">
        <SettingFields part="names" {...fieldProps(props)} />
      </div>
    </section>
  )
}

function Schedule(props: Props) {
  const { page, check, form, errors, timing, zones, silences } = props
  const focus = focusOf(errors)
  const input = (name: 'period' | 'cron' | 'oncalendar' | 'tz') => ({
    name,
    value: form[name],
    error: errors[name],
    ...focus(name),
  })
  return (
    <section class="form-part with-preview" id="schedule">
      <h2>When it runs</h2>
      <div class="form">
        <Kind form={form} value="simple" label="A period" help="so long after the last ping">
          <Field label="Period" {...input('period')} help="For example 15 min, 1 day, 1 week" narrow />
        </Kind>
        <Kind form={form} value="cron" label="Cron" help="at the times of a crontab line">
          <Field label="Cron expression" {...input('cron')} placeholder="15 3 * * *" mono />
        </Kind>
        <Kind form={form} value="oncalendar" label="OnCalendar" help="at the times of a systemd timer">
          <TextArea
            label="OnCalendar, one expression a line"
            {...input('oncalendar')}
            placeholder="Mon..Fri 09:00"
            rows={2}
            mono
          />
        </Kind>
        <div class="form-row">
          <SettingFields part="timing" {...fieldProps(props)} />
          <ZoneField label="Time zone of the schedule" {...input('tz')} placeholder="UTC" zones={zones} />
        </div>
        <div class="form-end">
          <Button small name="preview" value="1">
            Preview
          </Button>
        </div>
      </div>
      <div class="preview-pane" data-preview={link(page, `/checks/preview/?check=${check?.uuid ?? ''}`)}>
        <SchedulePreview page={page} timing={timing} silences={silences} />
      </div>
    </section>
  )
}

interface KindProps {
  form: CheckForm
  value: CheckKind
  label: string
  help: string
}

/** One kind of schedule, with the field that only this kind has. */
function Kind({ form, value, children, ...words }: PropsWithChildren<KindProps>) {
  return (
    <div class={`kind kind-of-${value}`}>
      <Tick type="radio" name="kind" value={value} checked={form.kind === value} {...words} />
      {children}
    </div>
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
            {'errors' in timing ? 'What it does stands here once every field is right.' : alertWords(timing)}
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
      <Disclosure summary="What counts as a ping" open={isOpen('rules', props)}>
        <div class="form">
          <SettingFields part="rules" {...fieldProps(props)} />
        </div>
      </Disclosure>
    </section>
  )
}

function Dependencies(props: Props) {
  const { check, form, errors, parents, linkErrors } = props
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
              {parents.map(({ uuid, label, on }) => (
                <Tick name="depends_on" value={uuid} label={label} checked={on} />
              ))}
            </TickGroup>
          </div>
          <SettingFields
            part="dependencies"
            form={form}
            errors={errors}
            isNew={check === null}
            focus={focusOf(errors)}
          />
        </div>
      </Disclosure>
    </section>
  )
}

function Alerts(props: Props) {
  return (
    <section class="form-part" id="alerts">
      <h2>Who is alerted</h2>
      <div class="form">
        {props.channels.length > 0 ? <Channels {...props} /> : null}
        {props.policies.length > 0 ? <PolicyChoice {...props} /> : null}
      </div>
    </section>
  )
}

function PolicyChoice({ page, project, policies, policy, linkErrors }: Props) {
  const byDefault = policies.find(({ isDefault }) => isDefault)
  const none = byDefault ? `The default: ${byDefault.name}` : 'None: its own integrations, at once'
  return (
    <Select
      label="Policy"
      name="policy"
      value={policy === null ? '' : String(policy)}
      error={linkErrors.policy}
      help={
        <>
          Who is alerted later, and how often:{' '}
          <a href={link(page, `/projects/${project.uuid}/policies/`)}>policies</a>. A change applies to an
          open incident, too.
        </>
      }
      options={[
        { value: '', label: none },
        ...policies.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

function Channels({ channels }: Props) {
  return (
    <>
      <input type="hidden" name="choose_channels" value="1" />
      <div>
        {channels.map(channel => (
          <Tick
            name="channel"
            value={channel.uuid}
            label={channel.name || channel.label}
            checked={channel.on}
          />
        ))}
      </div>
    </>
  )
}
