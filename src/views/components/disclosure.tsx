import type { Child, PropsWithChildren } from 'hono/jsx'

interface Props {
  summary: Child
  open?: boolean
  id?: string
}

/** What not everybody needs to see at once. */
export function Disclosure({ summary, open = false, id, children }: PropsWithChildren<Props>) {
  return (
    <details class="disclosure" open={open} id={id}>
      <summary>{summary}</summary>
      <div class="disclosed">{children}</div>
    </details>
  )
}

interface MenuProps {
  label: Child
  /** What the button does, where its label is a sign. */
  title?: string
  /** Opens towards the left. */
  end?: boolean
}

/** A list of links and forms behind a button. A script closes it on Escape and on a click elsewhere. */
export function Menu({ label, title, end = false, children }: PropsWithChildren<MenuProps>) {
  return (
    <details class={end ? 'menu menu-end' : 'menu'}>
      <summary title={title} aria-label={title}>
        {label}
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  )
}
