import { Button } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Time } from '../../../components/time.js'
import type { PageContext } from '../../../page-context.js'

/** Who somebody is at an OpenID Connect provider. */
export interface Identity {
  issuer: string
  subject: string
  email: string | null
  usedAt: number | null
}

interface Props {
  page: PageContext
  identity: Identity
  /** What the provider is called. */
  provider: string
}

/** A way into the account through a provider, and how to remove it. */
export function IdentityRow({ page, identity: { issuer, subject, email, usedAt }, provider }: Props) {
  return (
    <tr>
      <td class="figure">{provider}</td>
      <td class="grow breakable" title={issuer}>
        {email ?? subject}
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
