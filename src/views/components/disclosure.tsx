import type { Child, PropsWithChildren } from 'hono/jsx'

interface Props {
  summary: Child
  open?: boolean
  id?: string
  /** Whether it holds what cannot be undone. */
  danger?: boolean
}

/** Folds away what not everyone needs to see. */
export function Disclosure({
  summary,
  open = false,
  id,
  danger = false,
  children,
}: PropsWithChildren<Props>) {
  return (
    <details class={danger ? 'disclosure disclosure-danger' : 'disclosure'} open={open} id={id}>
      <summary>{summary}</summary>
      <div class="disclosed">{children}</div>
    </details>
  )
}

interface MenuProps {
  label: Child
  /** What the button does, if its label is an icon. */
  title?: string
  /** Whether it opens to the left. */
  end?: boolean
}

/** A list of links and forms behind a button. A script closes it on Escape and on clicks elsewhere. */
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
