import { type MemberRole, ROLE_NAMES } from '../../../core/people/role.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { EmailAddress } from '../../components/email-address.js'
import { AccountForm } from '../../components/forms/account-form.js'
import { AddressField } from '../../components/forms/address-field.js'
import { Button } from '../../components/forms/button.js'
import type { Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  /** The path of this page, to which the form is sent. */
  action: string
  /** The path to return to after signing in. */
  signInNext: string
  /** The project's name. */
  project: string
  role: MemberRole
  /** The address that the invitation was sent to; null if it is a link without one. */
  sentTo: string | null
  email: string
  /** Whether an account can be created only for this address. */
  fixed: boolean
  /** Whether an account requires a link that is e-mailed to its address. */
  asksForLink: boolean
  problem: Problem | null
}

const MEANINGS: Record<MemberRole, string> = {
  manager: 'You can change everything in the project and manage its members.',
  member: 'You can change its checks and integrations.',
  readonly: 'You can view everything in the project.',
}

/** An invitation to a project. */
export function InvitationPage(props: Props) {
  const { page, action, signInNext, project, role, sentTo, asksForLink, problem } = props
  const name = projectLabel({ name: project })
  return (
    <Layout page={page} title={`Join ${name}`} measure="form" scripts={['zone']}>
      <PageHead title={`Join ${name}`} lead={`${ROLE_NAMES[role]}. ${MEANINGS[role]}`} />
      {page.user ? (
        <>
          {sentTo !== null && sentTo !== page.user.email ? (
            <p>
              This invitation was sent to <EmailAddress address={sentTo} />.
            </p>
          ) : null}
          <PostForm page={page} action={action}>
            <Button look="primary">Join as {page.user.email}</Button>
          </PostForm>
        </>
      ) : (
        <>
          <AccountForm
            page={page}
            action={action}
            problem={problem}
            create="Create an account and join"
            sendsLink={asksForLink}
          >
            <Address {...props} />
          </AccountForm>
          <p class="muted after-form">
            Have an account?{' '}
            <a href={link(page, `/accounts/login/?next=${encodeURIComponent(signInNext)}`)}>Sign in</a>, then
            join.
          </p>
        </>
      )}
    </Layout>
  )
}

function Address({ email, fixed, asksForLink, problem }: Props) {
  return (
    <>
      {fixed ? (
        <>
          <p>
            The account will be created for{' '}
            <strong>
              <EmailAddress address={email} />
            </strong>
            .
          </p>
          <input type="hidden" name="email" value={email} autocomplete="username" />
        </>
      ) : (
        <AddressField email={email} problem={problem} />
      )}
      {asksForLink ? <p class="help">A link is sent to this address to create an account and join.</p> : null}
    </>
  )
}
