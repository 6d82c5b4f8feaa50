import { Disclosure } from '../disclosure.js'
import { Field, Select, TextArea, Tick, TickGroup } from '../forms/field.js'
import { errorOf, type Problem } from '../forms/form-problem.js'
import { InlineCode } from '../inline-code.js'

/** A field as declared by an integration. */
export interface DeclaredField {
  name: string
  label: string
  type: 'text' | 'multiline' | 'url' | 'email' | 'choice' | 'flag' | 'number' | 'channels'
  required?: boolean
  sensitive?: boolean
  maxLength?: number
  choices?: readonly string[]
  /** Labels to show instead of the choices. */
  choiceLabels?: Readonly<Record<string, string>>
  /** The groups of the choices, if they are grouped. */
  choiceGroups?: Readonly<Record<string, string>>
  default?: string
  help?: string
  /** The default suits most users, so the field is folded away. */
  advanced?: boolean
  /** The tab under which it is shown, and its label there. */
  tab?: { name: string; label: string }
  sameAs?: string
}

export interface ChannelFieldsProps {
  fields: readonly DeclaredField[]
  values: Readonly<Record<string, string>>
  problem: Problem | null
  /** The secrets that are kept if their field stays empty, each with the part that may be shown. */
  kept: Readonly<Record<string, string>>
  /** The channels that a field of channels offers. */
  others: readonly { uuid: string; label: string }[]
  /** Whether the fields of all tabs have the same values. */
  same?: boolean
}

/** The form of a channel, created from the fields that its kind declares; `FoldedFields` has the others. */
export function ChannelFields({ fields, ...form }: ChannelFieldsProps) {
  return (
    <>
      {fields.some(({ tab }) => tab) ? <Tabs fields={fields} {...form} /> : null}
      {fields
        .filter(({ advanced, tab }) => !advanced && !tab)
        .map((field, index) => (
          <OneField field={field} autofocus={index === 0 && isToFill(field, form)} {...form} />
        ))}
    </>
  )
}

/** Whether nothing was entered into a field yet, and nothing else asks for attention. */
function isToFill(
  { name }: DeclaredField,
  { values, kept, problem }: Omit<ChannelFieldsProps, 'fields'>,
): boolean {
  return problem === null && kept[name] === undefined && !values[name]
}

/** The fields under tabs. Where all are to be the same, only those of the first tab are shown. */
function Tabs({ fields, same = false, ...form }: ChannelFieldsProps) {
  const names = [...new Set(fields.flatMap(({ tab }) => tab?.name ?? []))]
  const under = (name: string) => fields.filter(({ tab }) => tab?.name === name)
  const wrong = names.find(name => under(name).some(field => field.name === form.problem?.field))
  return (
    <div class="field-tabs">
      <Tick
        name="same"
        label={`The same for ${names.map(name => name.toLowerCase()).join(' and ')}`}
        checked={same}
      />
      <div class="panels">
        {names.map(name => (
          <>
            <input type="radio" name="tab" id={`tab-${name}`} checked={name === (wrong ?? names[0])} />
            <label for={`tab-${name}`}>{name}</label>
            <div class="panel form">
              {under(name).map((field, index) => (
                <OneField
                  field={{ ...field, label: field.tab!.label }}
                  autofocus={index === 0 && name === names[0] && isToFill(field, form)}
                  {...form}
                />
              ))}
            </div>
          </>
        ))}
      </div>
    </div>
  )
}

/** The fields that most users leave unchanged, folded away unless one was changed. */
export function FoldedFields({ fields, ...form }: ChannelFieldsProps) {
  const advanced = fields.filter(field => field.advanced)
  if (advanced.length === 0) return null
  const isChanged = advanced.some(
    ({ name, default: usual = '' }) => form.problem?.field === name || (form.values[name] ?? usual) !== usual,
  )
  return (
    <Disclosure summary="What is sent, and how often" open={isChanged}>
      <div class="form">
        {advanced.map(field => (
          <OneField field={field} {...form} />
        ))}
      </div>
    </Disclosure>
  )
}

function OneField({
  field,
  values,
  problem,
  kept,
  others,
  autofocus = false,
}: { field: DeclaredField; autofocus?: boolean } & Omit<ChannelFieldsProps, 'fields'>) {
  const { name, label, type, maxLength, choices = [], help } = field
  const value = values[name] ?? ''
  const error = errorOf(problem, name)
  const keptValue = kept[name]
  const texts = {
    label,
    name,
    value,
    error,
    required: field.required && keptValue === undefined,
    placeholder: keptValue === undefined ? undefined : `${keptValue} (unchanged)`,
    maxlength: maxLength,
    autofocus,
    help: help ? <InlineCode text={help} /> : undefined,
  }
  if (type === 'flag') return <Tick label={label} name={name} checked={value === 'true'} help={texts.help} />
  if (type === 'choice') {
    const options = choices.map(choice => ({
      value: choice,
      label: field.choiceLabels?.[choice] ?? choice,
      group: field.choiceGroups?.[choice] ?? '',
    }))
    return <Select {...texts} options={options} />
  }
  if (type === 'channels') {
    const chosen = value.split(',')
    return (
      <TickGroup label={label} error={error}>
        {others.length === 0 ? <p class="muted">There is no other integration yet.</p> : null}
        {others.map(other => (
          <Tick name={name} value={other.uuid} label={other.label} checked={chosen.includes(other.uuid)} />
        ))}
      </TickGroup>
    )
  }
  return (
    <>
      {type === 'multiline' ? (
        <TextArea {...texts} mono />
      ) : (
        <Field {...texts} type={inputType(type)} mono={type === 'url'} autocomplete="off" />
      )}
      {keptValue !== undefined && !field.required ? (
        <Tick name={`remove_${name}`} label="Remove the stored value" />
      ) : null}
    </>
  )
}

/** Not `type="url"`, because a URL may be entered without its scheme. */
function inputType(type: DeclaredField['type']): 'text' | 'email' {
  return type === 'email' ? 'email' : 'text'
}
