import type { PropsWithChildren } from 'hono/jsx'
import type { CheckKind } from '../../../../core/checks/check.js'
import type { Settings } from '../../../../core/checks/check-fields.js'
import type { CheckForm, FormErrors } from '../../../../core/checks/check-form.js'
import { type PresetField, SCHEDULE_PRESETS } from '../../../../core/schedule/schedule-presets.js'
import type { ShownSilence } from '../../../../core/silences/shown-silence.js'
import { link, type PageContext } from '../../../page-context.js'
import { Field, TextArea } from '../../forms/field.js'
import { PreviewedPart } from '../../forms/previewed-part.js'
import { SettingFields } from '../../forms/setting-fields.js'
import { ZoneField } from '../../forms/zone-field.js'
import { SchedulePreview } from '../schedule-preview.js'

export interface SchedulePartProps {
  page: PageContext
  /** The check to edit; null for a new one. */
  check: { uuid: string } | null
  form: CheckForm
  errors: FormErrors
  /** Whether the field has the initial focus. */
  focus: (field: keyof CheckForm) => { autofocus: boolean }
  /** A check with the schedule as typed, or the problem with it. */
  timing: Settings | { errors: FormErrors }
  zones: readonly string[]
  /** The silences that concern the check and are not over. */
  silences: readonly ShownSilence[]
}

/** When a check runs: its kind of schedule, the fields of that kind, and what they mean. */
export function SchedulePart({
  page,
  check,
  form,
  errors,
  focus,
  timing,
  zones,
  silences,
}: SchedulePartProps) {
  const input = (name: PresetField | 'tz') => ({
    name,
    value: form[name],
    error: errors[name],
    ...focus(name),
  })
  return (
    <PreviewedPart
      title="Schedule"
      id="schedule"
      address={link(page, `/checks/preview/?check=${check?.uuid ?? ''}`)}
      preview={<SchedulePreview page={page} timing={timing} silences={silences} />}
      announced={false}
    >
      <fieldset class="segments">
        <legend class="sr-only">Kind of schedule</legend>
        <Segment form={form} value="simple" label="Period" />
        <Segment form={form} value="cron" label="Cron" />
        <Segment form={form} value="oncalendar" label="OnCalendar" />
      </fieldset>
      <Kind of="simple" presets="period">
        <Field
          label="Period"
          {...input('period')}
          help="The longest time between two pings, such as 15 min, 1 day or 1 week"
          narrow
        />
      </Kind>
      <Kind of="cron" presets="cron">
        <Field
          label="Cron expression"
          {...input('cron')}
          placeholder="15 3 * * *"
          help="As in a crontab: minute, hour, day of the month, month, day of the week"
          mono
        />
      </Kind>
      <Kind of="oncalendar" presets="oncalendar">
        <TextArea
          label="OnCalendar, one expression a line"
          {...input('oncalendar')}
          placeholder="Mon..Fri 09:00"
          help="As in a systemd timer: weekdays, date, time, time zone"
          rows={2}
          mono
        />
      </Kind>
      <div class="form-row">
        <SettingFields part="timing" form={form} errors={errors} isNew={check === null} focus={focus} />
        <div class="only-scheduled">
          <ZoneField label="Time zone of the schedule" {...input('tz')} placeholder="UTC" zones={zones} />
        </div>
      </div>
    </PreviewedPart>
  )
}

/** The button of one kind of schedule. */
function Segment({ form, value, label }: { form: CheckForm; value: CheckKind; label: string }) {
  return (
    <label>
      <input type="radio" name="kind" value={value} checked={form.kind === value} />
      <span>{label}</span>
    </label>
  )
}

/** The fields that only one kind of schedule has, and buttons that fill them. */
function Kind({ of, presets, children }: PropsWithChildren<{ of: CheckKind; presets: PresetField }>) {
  return (
    <div class={`kind kind-of-${of}`}>
      {children}
      {/* Each sends the form like the preview does; with a script it fills the field at once. */}
      <fieldset class="chips presets">
        <legend class="sr-only">Common schedules</legend>
        {SCHEDULE_PRESETS[presets].map(({ label, text }) => (
          <button type="submit" name="preset" value={`${presets} ${text}`}>
            {label}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
