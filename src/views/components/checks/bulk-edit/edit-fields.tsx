import type { PropsWithChildren } from 'hono/jsx'
import {
  EDIT_HELP,
  type EditErrors,
  type EditForm,
  type EditPart,
} from '../../../../core/checks/bulk-edit/edit-form.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { ShownChannel } from '../../channels/channel-toggle.js'
import { Choice } from '../../forms/choice.js'
import { Field, Select, TextArea, Tick, TickGroup } from '../../forms/field.js'
import { ZoneField } from '../../forms/zone-field.js'
import { TagsField } from '../tags-field.js'

/** A project of the chosen checks, with what there is to choose from. */
export interface EditProject {
  id: number
  uuid: string
  name: string
  channels: readonly ShownChannel[]
  policies: readonly { id: number; name: string }[]
}

export interface FieldsProps {
  form: EditForm
  errors: EditErrors
  zones: readonly string[]
  /** The tags that are suggested. */
  tags: readonly string[]
  projects: readonly EditProject[]
  /** The projects to which checks can move. */
  targets: readonly { uuid: string; name: string }[]
}

/** What can be changed for many checks. Only the fields of chosen parts are shown. */
export function EditFields(props: FieldsProps) {
  const { form, errors, zones, tags, projects, targets } = props
  const input = (name: 'grace' | 'tz' | 'tags') => ({ name, value: form[name], error: errors[name] })
  return (
    <>
      <Part {...props} part="schedule" label="Schedule">
        <ScheduleFields {...props} />
      </Part>
      <Part {...props} part="grace" label="Grace">
        <Field label="Grace" {...input('grace')} help={EDIT_HELP.grace} narrow />
      </Part>
      <Part {...props} part="zone" label="Time zone">
        <ZoneField
          label="Time zone of the schedule"
          {...input('tz')}
          help="For example Europe/Riga"
          zones={zones}
        />
      </Part>
      <Part {...props} part="tags" label="Tags">
        <Ways name="tagsWay" value={form.tagsWay} what="tags" />
        <TagsField {...input('tags')} help={EDIT_HELP.tags} known={tags} list="edit-tags" />
      </Part>
      {projects.some(({ channels }) => channels.length > 0) ? (
        <Part {...props} part="channels" label="Integrations">
          <Ways name="channelsWay" value={form.channelsWay} what="integrations" />
          <ChannelFields {...props} />
        </Part>
      ) : null}
      {projects.some(({ policies }) => policies.length > 0) ? (
        <Part {...props} part="policy" label="Policy">
          <PolicyField {...props} />
        </Part>
      ) : null}
      {targets.length > 0 ? (
        <Part {...props} part="project" label="Project">
          <Select
            label="Move to"
            name="project"
            value={form.project}
            error={errors.project}
            help="Addresses and logs stay; all integrations of that project are alerted, and none of this one."
            options={[
              { value: '', label: 'Choose a project' },
              ...targets.map(target => ({ value: target.uuid, label: projectLabel(target) })),
            ]}
          />
        </Part>
      ) : null}
    </>
  )
}

function Part({
  part,
  label,
  form,
  children,
}: PropsWithChildren<{ part: EditPart; label: string; form: EditForm }>) {
  return (
    <div class="choice edit-part">
      <Tick name="part" value={part} label={label} checked={form.parts.includes(part)} />
      <div class="choice-fields form">{children}</div>
    </div>
  )
}

function ScheduleFields({ form, errors }: FieldsProps) {
  const kind = { name: 'kind', now: form.kind }
  const input = (name: 'period' | 'cron' | 'oncalendar') => ({ name, value: form[name], error: errors[name] })
  return (
    <div>
      <Choice {...kind} value="simple" label="A period">
        <Field label="Period" {...input('period')} help="For example 15 min, 1 day, 1 week" narrow />
      </Choice>
      <Choice {...kind} value="cron" label="Cron">
        <Field label="Cron expression" {...input('cron')} help="For example 15 3 * * *" mono />
      </Choice>
      <Choice {...kind} value="oncalendar" label="OnCalendar">
        <TextArea
          label="OnCalendar, one expression a line"
          {...input('oncalendar')}
          help="For example Mon..Fri 09:00"
          rows={2}
          mono
        />
      </Choice>
    </div>
  )
}

function Ways({ name, value, what }: { name: string; value: string; what: string }) {
  const options = [
    { value: 'add', label: `Add these ${what}` },
    { value: 'remove', label: `Remove these ${what}` },
    { value: 'only', label: `Only these ${what}` },
  ]
  return <Select label="Change" name={name} id={name} value={value} options={options} />
}

function ChannelFields({ form, projects }: FieldsProps) {
  const shown = projects.filter(({ channels }) => channels.length > 0)
  return (
    <>
      {shown.map(project => (
        <TickGroup label={projects.length > 1 ? `Integrations of ${projectLabel(project)}` : 'Integrations'}>
          {project.channels.map(({ uuid, name, label }) => (
            <Tick name="channels" value={uuid} label={name || label} checked={form.channels.includes(uuid)} />
          ))}
        </TickGroup>
      ))}
    </>
  )
}

function PolicyField({ form, errors, projects }: FieldsProps) {
  const named = projects.flatMap(project =>
    project.policies.map(({ id, name }) => ({
      value: String(id),
      label: name,
      ...(projects.length > 1 && { group: projectLabel(project) }),
    })),
  )
  return (
    <Select
      label="Policy"
      name="policy"
      value={form.policy}
      error={errors.policy}
      help="Who is alerted later, and how often. A change applies to open incidents, too."
      options={[{ value: '', label: 'The default of the project, or none' }, ...named]}
    />
  )
}
