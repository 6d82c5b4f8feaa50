import { Tick } from './field.js'

interface Props {
  legend: string
  name: string
  options: readonly { uuid: string; name: string }[]
  chosen: readonly string[]
  error: string | undefined
}

/** Any number of a project's checks or integrations, in a list that scrolls. */
export function Picks({ legend, name, options, chosen, error }: Props) {
  return (
    <fieldset class={error ? 'picks has-error' : 'picks'}>
      <legend class="sr-only">{legend}</legend>
      <div class="picks-list">
        {options.map(option => (
          <Tick name={name} value={option.uuid} checked={chosen.includes(option.uuid)} label={option.name} />
        ))}
      </div>
      {error ? <p class="error">{error}</p> : null}
    </fieldset>
  )
}
