import { Field } from './field.js'
import { Suggestions } from './suggestions.js'

interface Props {
  label: string
  name: string
  value: string
  error: string | undefined
  placeholder?: string
  help?: string
  autofocus?: boolean
  /** The zones that are suggested. */
  zones: readonly string[]
}

/** A field for a time zone. A page has at most one. */
export function ZoneField({ zones, ...field }: Props) {
  return (
    <div>
      <Field {...field} autocomplete="off" list="zones" />
      <Suggestions id="zones" values={zones} />
    </div>
  )
}
