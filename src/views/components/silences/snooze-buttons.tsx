import { capitalize } from '../../../core/text/capitalize.js'

/** The lengths of a snooze that take one click, by the value that the form sends. */
export const SNOOZES = { '3600': '1 hour', '14400': '4 hours', tomorrow: 'until 9:00 tomorrow' } as const

interface Props {
  /** The name of the field with the length. */
  name: 'for' | 'action'
  /** What the values begin with. */
  prefix?: string
  /** Where the buttons send their form, if not where it goes. */
  formaction?: string
  /** The form for any other length; none if missing. */
  other?: string
  /** What each label begins with. */
  verb?: string
}

/** Buttons that snooze what their form is about, for a menu. */
export function SnoozeButtons({ name, prefix = '', formaction, other, verb = '' }: Props) {
  return (
    <>
      {Object.entries(SNOOZES).map(([value, label]) => (
        <button type="submit" name={name} value={prefix + value} formaction={formaction} data-stay>
          {verb === '' ? capitalize(label) : `${verb} ${label}`}
        </button>
      ))}
      {other ? <a href={other}>{verb === '' ? 'Other…' : `${verb} for longer…`}</a> : null}
    </>
  )
}
