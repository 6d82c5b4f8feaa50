import type { PropsWithChildren } from 'hono/jsx'
import type { PageContext } from '../../page-context.js'
import { Button } from './button.js'
import { FormProblem, type Problem } from './form-problem.js'
import { NewPassword } from './new-password.js'
import { PostForm } from './post-form.js'

interface Props {
  page: PageContext
  /** The path to which the form is sent. */
  action: string
  problem: Problem | null
  /** The label of the button if the account is created at once. */
  create?: string
  /** Whether a link is sent to the address first. The password is then chosen on the page behind the link. */
  sendsLink?: boolean
}

/** A form that creates an account, in the time zone of the browser. Its child is the field of the address. */
export function AccountForm({
  page,
  action,
  problem,
  create = 'Create account',
  sendsLink = false,
  children,
}: PropsWithChildren<Props>) {
  return (
    <PostForm page={page} action={action} class="form">
      <FormProblem problem={problem} />
      {children}
      {sendsLink ? null : <NewPassword problem={problem} />}
      <input type="hidden" name="timezone" data-zone />
      <div class="form-end">
        <Button look="primary">{sendsLink ? 'Send link' : create}</Button>
      </div>
    </PostForm>
  )
}
