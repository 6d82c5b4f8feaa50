import { EmailAddress } from '../../../components/email-address.js'
import { Button } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Time } from '../../../components/time.js'
import type { PageContext } from '../../../page-context.js'

/** The user's identity at an OpenID Connect provider. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  usedAt: number | null
}

interface Props {
  page: PageContext
  identity: Identity
  /** The name of the provider. */
  provider: string
}

/** An identity at a provider with which the user can sign in, and a button that removes it. */
export function IdentityRow({ page, identity: { issuer, subject, email, usedAt }, provider }: Props) {
  return (
    <tr>
      <td class="figure">{provider}</td>
      <td class="grow breakable" title={issuer}>
        {email ? <EmailAddress address={email} /> : subject}
        <span class="help">
          Used <Time page={page} at={usedAt} />
        </span>
      </td>
      <td class="right">
        <PostForm
          page={page}
          action="/accounts/identities/remove/"
          confirm={`Remove ${email ?? subject} at ${provider}?`}
        >
          <input type="hidden" name="issuer" value={issuer} />
          <input type="hidden" name="subject" value={subject} />
          <Button small look="quiet">
            Remove
          </Button>
        </PostForm>
      </td>
    </tr>
  )
}
