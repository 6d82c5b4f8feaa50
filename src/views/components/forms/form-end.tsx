import type { PropsWithChildren } from 'hono/jsx'
import { link, type PageContext } from '../../page-context.js'
import { ButtonLink } from './button.js'

interface Props {
  page: Pick<PageContext, 'base'>
  /** Where cancelling leads: a path of this site. */
  cancel: string
}

/** The end of a form: the button that sends it, and a link to cancel. */
export function FormEnd({ page, cancel, children }: PropsWithChildren<Props>) {
  return (
    <div class="form-end">
      {children}
      <ButtonLink look="quiet" href={link(page, cancel)}>
        Cancel
      </ButtonLink>
    </div>
  )
}
