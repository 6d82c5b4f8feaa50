import { link, zoneOf } from '../../page-context.js'
import { Choice } from '../forms/choice.js'
import { Field, TextArea } from '../forms/field.js'
import { PreviewedPart } from '../forms/previewed-part.js'
import { ZoneField } from '../forms/zone-field.js'
import { inputOf, type SilenceFormProps } from './form-props.js'
import { WindowsPreview } from './windows-preview.js'

/** When a silence is active, with a preview. */
export function SilenceWhenPart({ page, silence, form, problem, times, zones }: SilenceFormProps) {
  const zone = zoneOf(page)
  const input = inputOf({ form, problem })
  return (
    <PreviewedPart
      title="When"
      address={link(page, '/silences/preview/')}
      preview={<WindowsPreview page={page} times={times} />}
    >
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
    </PreviewedPart>
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
