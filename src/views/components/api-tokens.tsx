import type { ScopeName } from '../../core/people/scopes.js'
import { link, type PageContext } from '../page-context.js'
import { CopyLine } from './copy.js'
import { Menu } from './disclosure.js'
import { ButtonLink } from './forms/button.js'
import { PostForm } from './forms/post-form.js'
import { Table } from './table.js'
import { Time } from './time.js'

export interface ShownToken {
  uuid: string
  name: string
  /** The first characters. */
  hint: string
  scopes: readonly ScopeName[]
  /** The address of who made it; null: the operator, or an account that was closed. */
  author: string | null
  expiresAt: number | null
  usedAt: number | null
}

interface Props {
  page: PageContext
  /** The path of the actions on these tokens. */
  path: string
  tokens: readonly ShownToken[]
  /** A new token, which is shown once. */
  shown: string | null
  lead: string
  /** SITE_ROOT. */
  siteRoot: string
}

/** The API tokens of a person or a project, making and revoking them. */
export function ApiTokens({ page, path, tokens, shown, lead, siteRoot }: Props) {
  return (
    <section class="section" id="tokens">
      <h2>API tokens</h2>
      {shown === null ? null : (
        <div class="notice stack">
          <p>
            <strong>Copy the new token now.</strong> It is not shown again, because only its first characters
            are stored.
          </p>
          <CopyLine text={shown} label="the token" />
        </div>
      )}
      <p class="muted">
        {lead} <a href={link(page, '/docs/own-api/')}>API reference</a>
      </p>
      {tokens.length > 0 ? (
        <Table
          caption="API tokens"
          columns={[
            { title: 'Token', grow: true },
            { title: 'Last used' },
            { title: 'Expires', wide: true },
            { title: 'Actions', silent: true, align: 'right' },
          ]}
        >
          {tokens.map(token => (
            <TokenRow page={page} path={path} token={token} />
          ))}
        </Table>
      ) : null}
      <p class="form-end after-table">
        <ButtonLink href={link(page, `${path}add/`)}>New token</ButtonLink>
      </p>
      <div class="stack after-table">
        <p class="muted">
          Assistants use a token at this address.{' '}
          <a href={link(page, '/docs/mcp/')}>Connecting an assistant</a>
        </p>
        <CopyLine text={`${siteRoot}/mcp`} />
      </div>
    </section>
  )
}

function TokenRow({ page, path, token }: { page: PageContext; path: string; token: ShownToken }) {
  const { uuid, name, hint, scopes, author, expiresAt, usedAt } = token
  return (
    <tr>
      <td class="grow breakable">
        {name} <span class="mono">{hint}…</span>
        <span class="help">{scopes.join(', ')}</span>
        <span class="help">{author === null ? 'Created by the administrator' : `Created by ${author}`}</span>
      </td>
      <td class="figure">{usedAt === null ? 'Never' : <Time page={page} at={usedAt} />}</td>
      <td class="wide figure">{expiresAt === null ? 'Never' : <Time page={page} at={expiresAt} />}</td>
      <td class="right">
        <Menu label="Revoke" end>
          <PostForm page={page} action={`${path}${uuid}/revoke/`} class="menu-form">
            <p>Programs that use this token get errors until they use a new one.</p>
            <button type="submit" class="button button-danger button-small">
              Revoke token
            </button>
          </PostForm>
        </Menu>
      </td>
    </tr>
  )
}
