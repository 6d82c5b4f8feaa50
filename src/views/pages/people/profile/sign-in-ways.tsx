import { EmailAddress } from '../../../components/email-address.js'
import { Button, ButtonLink } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Table } from '../../../components/table.js'
import { Time } from '../../../components/time.js'
import { link, type PageContext } from '../../../page-context.js'
import { type Identity, IdentityRow } from './identities.js'

export interface Passkey {
  uuid: string
  name: string
  createdAt: number
  usedAt: number | null
}

/** How a user signs in. */
export interface SignIn {
  page: PageContext
  email: string
  /** Whether the address of the account is proven. */
  emailProven: boolean
  /** Whether the installation sends e-mail. */
  sendsMail: boolean
  hasPassword: boolean
  /** Whether an authenticator app is set up. */
  hasApp: boolean
  passkeys: readonly Passkey[]
  identities: readonly Identity[]
  /** The name of the OpenID Connect provider. */
  providerName: string
  /** Why no passkey can be added, as a sentence; null if one can. */
  passkeyObstacle: string | null
  /** How many recovery codes are left. */
  recoveryCodes: number
}

/** The ways in which the user signs in, and the second step. */
export function SignInWays(props: SignIn) {
  const { page, hasPassword, hasApp, passkeys, identities, providerName, passkeyObstacle } = props
  const { recoveryCodes } = props
  const to = (path: string) => link(page, `/accounts/${path}/`)
  return (
    <section class="section">
      <h2>Sign-in and security</h2>
      <Table
        caption="Ways to sign in"
        columns={[
          { title: 'What' },
          { title: 'State', grow: true },
          { title: 'Actions', silent: true, align: 'right' },
        ]}
      >
        <AddressRow {...props} />
        <tr>
          <td class="figure">Password</td>
          <td class="grow">{hasPassword ? 'Set' : <span class="muted">None</span>}</td>
          <td class="right">
            <ButtonLink small look="quiet" href={to('password')}>
              {hasPassword ? 'Change' : 'Set'}
            </ButtonLink>
          </td>
        </tr>
        {identities.map(identity => (
          <IdentityRow page={page} identity={identity} provider={providerName} />
        ))}
        <tr>
          <td class="figure">Authenticator app</td>
          <td class="grow">{hasApp ? 'On' : <span class="muted">None</span>}</td>
          <td class="right">
            {hasApp ? (
              <PostForm page={page} action="/accounts/totp/remove/" confirm="Turn off codes?">
                <Button small look="quiet">
                  Remove
                </Button>
              </PostForm>
            ) : (
              <ButtonLink small look="quiet" href={to('totp')}>
                Set up
              </ButtonLink>
            )}
          </td>
        </tr>
        {passkeys.map(passkey => (
          <tr>
            <td class="figure">Passkey</td>
            <td class="grow breakable">
              {passkey.name}
              <span class="help">
                Used <Time page={page} at={passkey.usedAt} />
              </span>
            </td>
            <td class="right">
              <PostForm
                page={page}
                action={`/accounts/passkeys/${passkey.uuid}/remove/`}
                confirm={`Remove ${passkey.name}?`}
              >
                <Button small look="quiet">
                  Remove
                </Button>
              </PostForm>
            </td>
          </tr>
        ))}
        {hasApp || passkeys.length > 0 ? (
          <tr>
            <td class="figure">Recovery codes</td>
            <td class="grow">
              {recoveryCodes > 0 ? `${recoveryCodes} left` : <span class="warn">None left</span>}
            </td>
            <td class="right">
              <ButtonLink small look="quiet" href={to('recovery-codes')}>
                {recoveryCodes > 0 ? 'Generate new codes' : 'Generate codes'}
              </ButtonLink>
            </td>
          </tr>
        ) : null}
      </Table>
      {passkeyObstacle === null ? (
        <p class="after-table">
          <ButtonLink href={to('passkeys/add')}>Add a passkey</ButtonLink>
        </p>
      ) : (
        <p class="after-table muted">{passkeyObstacle}</p>
      )}
    </section>
  )
}

/** The address, and if the installation sends e-mail, a way to confirm it. */
function AddressRow({ page, email, emailProven, sendsMail }: SignIn) {
  return (
    <tr>
      <td class="figure">E-mail address</td>
      <td class="grow breakable">
        <EmailAddress address={email} />
        {sendsMail && !emailProven ? (
          <span class="help warn">
            Not confirmed: no reports are sent to it, and links to sign in reset the account.
          </span>
        ) : null}
      </td>
      <td class="right">
        {sendsMail && !emailProven ? (
          <PostForm page={page} action="/accounts/email/">
            <input type="hidden" name="email" value={email} />
            <Button small>Confirm</Button>
          </PostForm>
        ) : null}
        <ButtonLink small look="quiet" href={link(page, '/accounts/email/')}>
          Change
        </ButtonLink>
      </td>
    </tr>
  )
}
