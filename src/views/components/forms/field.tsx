import type { Child, PropsWithChildren } from 'hono/jsx'
import { appendTo } from '../../../lib/append-to.js'

/** The properties of every field. The error is shown at the field, which keeps the typed value. */
interface Common {
  label: string
  name: string
  value?: string | undefined
  error?: string | undefined
  help?: Child
  required?: boolean | undefined
  disabled?: boolean
  /** Distinguishes fields of the same name on one page. */
  id?: string
}

interface TextProps extends Common {
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'search' | 'datetime-local'
  autocomplete?: string
  placeholder?: string | undefined
  inputmode?: 'numeric' | 'decimal' | 'email' | 'url'
  maxlength?: number | undefined
  min?: number
  max?: number
  pattern?: string
  autofocus?: boolean
  /** The id of a list of suggestions. */
  list?: string | undefined
  /** Whether the suggestions are for its last word; see static/js/words.js. */
  words?: boolean
  /** Code rather than prose: a URL, a schedule, a key. */
  mono?: boolean
  /** Only as wide as a number or a short word. */
  narrow?: boolean
}

/** One line of text. */
export function Field({ label, help, error, mono, narrow, words, id, type = 'text', ...rest }: TextProps) {
  const key = id ?? rest.name
  return (
    <Framed label={label} help={help} error={error} id={key}>
      <input
        {...rest}
        {...describedBy(key, help, error)}
        id={key}
        type={type}
        data-words={words}
        class={classes(mono, narrow)}
      />
    </Framed>
  )
}

interface AreaProps extends Common {
  rows?: number
  mono?: boolean
  autofocus?: boolean
  placeholder?: string | undefined
  maxlength?: number | undefined
}

/** Several lines of text. */
export function TextArea({ label, help, error, mono, value, id, rows = 4, ...rest }: AreaProps) {
  const key = id ?? rest.name
  return (
    <Framed label={label} help={help} error={error} id={key}>
      <textarea {...rest} {...describedBy(key, help, error)} id={key} rows={rows} class={classes(mono)}>
        {value}
      </textarea>
    </Framed>
  )
}

interface SelectOption {
  value: string
  label: string
  /** The label of its group; options of one group follow each other. */
  group?: string
}

interface SelectProps extends Common {
  autofocus?: boolean
  options: readonly SelectOption[]
}

/** A choice in a drop-down list. */
export function Select({ label, help, error, value, options, id, ...rest }: SelectProps) {
  const key = id ?? rest.name
  return (
    <Framed label={label} help={help} error={error} id={key}>
      <select {...rest} {...describedBy(key, help, error)} id={key}>
        {groupsOf(options).map(([group, members]) => {
          const shown = members.map(option => (
            <option value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))
          return group === '' ? shown : <optgroup label={group}>{shown}</optgroup>
        })}
      </select>
    </Framed>
  )
}

function groupsOf(options: readonly SelectOption[]): [string, SelectOption[]][] {
  const groups = new Map<string, SelectOption[]>()
  for (const option of options) {
    appendTo(groups, option.group ?? '', option)
  }
  return [...groups]
}

interface TickProps {
  label: Child
  name: string
  value?: string
  checked?: boolean
  help?: Child
  disabled?: boolean
  autofocus?: boolean
  type?: 'checkbox' | 'radio'
}

/** A checkbox, or with `radio` one of a few options that are all visible. */
export function Tick({ label, help, type = 'checkbox', value = 'true', ...rest }: TickProps) {
  return (
    <label class="tick">
      <input type={type} value={value} {...rest} />
      <span>
        {label}
        {help ? <span class="help">{help}</span> : null}
      </span>
    </label>
  )
}

interface GroupProps {
  label: string
  error?: string | undefined
}

/** Checkboxes that belong together under one heading. */
export function TickGroup({ label, children, error }: PropsWithChildren<GroupProps>) {
  return (
    <fieldset class="ticks">
      <legend>{label}</legend>
      {children}
      {error ? <p class="error">{error}</p> : null}
    </fieldset>
  )
}

interface FramedProps {
  label: string
  id: string
  help: Child
  error: string | undefined
}

function Framed({ label, id, help, error, children }: PropsWithChildren<FramedProps>) {
  return (
    <div class={error ? 'field has-error' : 'field'}>
      <label for={id}>{label}</label>
      {children}
      {error ? (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {help ? (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      ) : null}
    </div>
  )
}

function describedBy(id: string, help: Child, error: string | undefined) {
  const ids = [error ? `${id}-error` : null, help ? `${id}-help` : null].filter(name => name !== null)
  return {
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
  }
}

function classes(mono?: boolean, narrow?: boolean): string | undefined {
  return [mono && 'mono', narrow && 'narrow'].filter(Boolean).join(' ') || undefined
}
