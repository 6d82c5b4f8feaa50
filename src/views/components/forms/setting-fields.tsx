import {
  type CheckForm,
  type FormErrors,
  fieldsOf,
  type ShownField,
} from '../../../core/checks/check-form.js'
import { Field, TextArea, Tick, TickGroup } from './field.js'

interface Props {
  /** The part of the form whose plain fields are shown. */
  part: ShownField['form']['part']
  form: CheckForm
  errors: FormErrors
  isNew: boolean
  /** Whether the field has the initial focus. */
  focus: (field: keyof CheckForm) => { autofocus: boolean }
}

type FieldProps = Omit<Props, 'part'> & { field: ShownField }

/** The plain fields of a part of a check's form, each according to its type and its entry in the table. */
export function SettingFields({ part, ...rest }: Props) {
  return (
    <>
      {together(fieldsOf(part)).map(fields => {
        const shown = fields.map(field => <SettingField field={field} {...rest} />)
        const { row, group } = fields[0]!.form
        if (row !== undefined) return <div class="form-row">{shown}</div>
        return group === undefined ? shown : <TickGroup label={group}>{shown}</TickGroup>
      })}
    </>
  )
}

/** The fields, where consecutive ones with the same row or group are in one list. */
function together(fields: readonly ShownField[]): ShownField[][] {
  const lists: ShownField[][] = []
  const placeOf = ({ form }: ShownField) => form.row ?? form.group
  for (const field of fields) {
    const last = lists.at(-1)
    if (last && placeOf(field) !== undefined && placeOf(last[0]!) === placeOf(field)) last.push(field)
    else lists.push([field])
  }
  return lists
}

/** A field. Fields about scheduled times are hidden if a period is chosen. */
function SettingField(props: FieldProps) {
  const shown = <SettingInput {...props} />
  return props.field.form.onlyScheduled ? <div class="only-scheduled">{shown}</div> : shown
}

function SettingInput({ field, form, errors, isNew, focus }: FieldProps) {
  const { type, input, name } = field
  const { label, lines, mono, stopsAtMax, suggestions, options = {}, helpWhenNew = '' } = field.form
  const help = isNew && field.form.help ? field.form.help + helpWhenNew : field.form.help
  const value = form[name]
  if (type.is === 'flag') return <Tick name={input} label={label} help={help} checked={value === true} />
  if (type.is === 'choice') {
    return (
      <TickGroup label={label}>
        {Object.entries(options).map(([word, words]) => (
          <Tick type="radio" name={input} value={word} {...words} checked={value === word} />
        ))}
      </TickGroup>
    )
  }
  if (type.is === 'text' && field.form.options) {
    const chosen = String(value).split(',')
    return (
      <TickGroup label={label} error={errors[name]}>
        {Object.entries(options).map(([word, words], index) => (
          <Tick
            name={input}
            value={word}
            {...words}
            checked={chosen.includes(word)}
            autofocus={index === 0 && focus(name).autofocus}
          />
        ))}
      </TickGroup>
    )
  }
  const common = { label, name: input, value: String(value), error: errors[name], help, mono: mono === true }
  if (lines !== undefined) return <TextArea {...common} {...focus(name)} rows={lines} />
  const maxLength = type.is === 'text' && stopsAtMax ? type.maxLength : undefined
  const suggesting = suggestions === undefined ? {} : { list: suggestions, words: true, autocomplete: 'off' }
  return <Field {...common} maxlength={maxLength} {...suggesting} {...focus(name)} />
}
