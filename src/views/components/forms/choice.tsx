import type { PropsWithChildren } from 'hono/jsx'
import { Tick } from './field.js'

interface Props {
  name: string
  value: string
  /** The value that is chosen. */
  now: string
  label: string
  help?: string
}

/** One of several choices, with the fields that only it has. */
export function Choice({ now, children, ...rest }: PropsWithChildren<Props>) {
  return (
    <div class="choice">
      <Tick type="radio" checked={rest.value === now} {...rest} />
      <div class="choice-fields form">{children}</div>
    </div>
  )
}
