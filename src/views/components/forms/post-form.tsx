import type { PropsWithChildren } from 'hono/jsx'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: Pick<PageContext, 'base' | 'csrf'>
  /** A path of this site, beginning with a slash. */
  action: string
  class?: string
  id?: string
  /** A question that a script asks first. Without a script the action happens at once, so it must be reversible. */
  confirm?: string
}

/** A form for an action: a plain POST with the token that proves that it came from our page. */
export function PostForm({ page, action, children, confirm, ...rest }: PropsWithChildren<Props>) {
  return (
    <form method="post" action={link(page, action)} data-confirm={confirm} {...rest}>
      <input type="hidden" name="csrf" value={page.csrf} />
      {children}
    </form>
  )
}
