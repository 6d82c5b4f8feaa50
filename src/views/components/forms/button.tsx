import type { PropsWithChildren } from 'hono/jsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

interface Props {
  /** `primary` at most once per page; `danger` for what cannot be undone. */
  look?: Look
  name?: string
  value?: string
  disabled?: boolean
  /** Why it is disabled, or what it does if the label does not say so. */
  title?: string
  formaction?: string
  small?: boolean
  /** Whether a script sends the form without leaving the page; see stay.js. */
  stay?: boolean
  /** The key that presses it, if a script listens for it. */
  shortcut?: string
}

/** The button that submits its form. */
export function Button({
  look = 'plain',
  small = false,
  stay = false,
  shortcut,
  children,
  ...rest
}: PropsWithChildren<Props>) {
  return (
    <button
      type="submit"
      class={buttonClass(look, small)}
      data-stay={stay ? '' : undefined}
      data-key={shortcut}
      {...rest}
    >
      {children}
    </button>
  )
}

interface LinkProps {
  href: string
  /** The key that presses it, if a script listens for it. */
  shortcut?: string
  look?: Look
  small?: boolean
}

/** A link to a page with an action, which therefore looks like a button. */
export function ButtonLink({
  href,
  shortcut,
  look = 'plain',
  small = false,
  children,
}: PropsWithChildren<LinkProps>) {
  return (
    <a class={buttonClass(look, small)} href={href} data-key={shortcut}>
      {children}
    </a>
  )
}

function buttonClass(look: Look, small: boolean): string {
  return `button button-${look}${small ? ' button-small' : ''}`
}
