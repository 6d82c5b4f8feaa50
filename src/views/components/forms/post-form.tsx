import type { PropsWithChildren } from 'hono/jsx'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: Pick<PageContext, 'base' | 'csrf'>
  /** A path of this site, beginning with a slash. */
  action: string
  class?: string
  id?: string
  /** Asks first, where a script runs; without one the action happens at once, so it must not be final. */
  confirm?: string
}

/** A form that changes something: a plain POST with the token that proves it came from our page. */
export function PostForm({ page, action, children, confirm, ...rest }: PropsWithChildren<Props>) {
  return (
    <form method="post" action={link(page, action)} data-confirm={confirm} {...rest}>
      <input type="hidden" name="csrf" value={page.csrf} />
      {children}
    </form>
  )
}
