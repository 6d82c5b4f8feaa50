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

/** One of several choices, with the fields that only it has, if any. */
export function Choice({ now, children, ...rest }: PropsWithChildren<Props>) {
  const tick = <Tick type="radio" checked={rest.value === now} {...rest} />
  if (!children) return tick
  return (
    <div class="choice">
      {tick}
      <div class="choice-fields form">{children}</div>
    </div>
  )
}
