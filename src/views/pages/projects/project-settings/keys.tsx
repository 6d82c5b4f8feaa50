import { projectLabel } from '../../../../core/projects/project-label.js'
import { CopyLine } from '../../../components/copy.js'
import { Menu } from '../../../components/disclosure.js'
import { Button } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Table } from '../../../components/table.js'
import { Time } from '../../../components/time.js'
import { link, type PageContext } from '../../../page-context.js'
import { WALL_PAGE } from '../../../site-pages.js'
import type { ProjectSettings } from './settings.js'

const KINDS = { rw: 'Read and write', ro: 'Read only' } as const

function wallAddress(page: PageContext, project: { name: string }, key: string): string {
  return link(page, `/tv/#${new URLSearchParams([[key, projectLabel(project)]])}`)
}

/** The API keys and the ping key: the existing ones, creating and revoking. */
export function Keys({ page, project, keys, pingKey, shown }: ProjectSettings) {
  return (
    <section class="section" id="keys">
      <h2>API keys</h2>
      <p class="muted">
        Programs use a key to read and change this project through the API.{' '}
        <a href={link(page, '/docs/management-api/')}>How to use it</a>,{' '}
        <a href={link(page, '/docs/api/')}>API reference</a>. A read-only key also opens a{' '}
        <a href={link(page, WALL_PAGE.path)}>wall display</a>.
      </p>
      {shown?.what === 'rw' || shown?.what === 'ro' ? (
        <div class="notice stack">
          <p>
            <strong>Copy the new key now.</strong> It is not shown again, because only its first characters
            are stored.
          </p>
          <CopyLine text={shown.text} label="the key" />
          {shown.what === 'ro' ? (
            <p>
              With this key, a wall display can show this project:{' '}
              <a href={wallAddress(page, project, shown.text)}>open the wall display</a>.
            </p>
          ) : null}
        </div>
      ) : null}
      {keys.length > 0 ? (
        <Table
          caption="API keys"
          columns={[
            { title: 'Key' },
            { title: 'Access', grow: true },
            { title: 'Created', wide: true },
            { title: 'Actions', silent: true, align: 'right' },
          ]}
        >
          {keys.map(key => (
            <tr>
              <td class="mono figure">{key.hint}…</td>
              <td class="grow">{KINDS[key.kind]}</td>
              <td class="wide figure">
                <Time page={page} at={key.createdAt} />
              </td>
              <td class="right">
                <Revoke page={page} project={project} kind={key.kind} hint={key.hint} />
              </td>
            </tr>
          ))}
        </Table>
      ) : (
        <p class="muted">No API keys yet.</p>
      )}
      <PostForm page={page} action={`/projects/${project.uuid}/keys/add/`} class="form-end after-table">
        <Button name="kind" value="rw">
          New read and write key
        </Button>
        <Button name="kind" value="ro">
          New read-only key
        </Button>
      </PostForm>
      <h2 class="after-table" id="ping-key">
        Ping key
      </h2>
      {pingKey === null ? (
        <>
          <p class="muted">No ping key. With a ping key, jobs can use readable URLs instead of UUIDs.</p>
          <PostForm page={page} action={`/projects/${project.uuid}/keys/add/`} class="form-end after-table">
            <Button name="kind" value="ping">
              New ping key
            </Button>
          </PostForm>
        </>
      ) : (
        <>
          <p class="muted">The secret part of readable ping URLs.</p>
          <div class="line-with-menu">
            <CopyLine text={pingKey} />
            <Revoke page={page} project={project} kind="ping" hint="" />
          </div>
        </>
      )}
    </section>
  )
}

interface RevokeProps {
  page: PageContext
  project: { uuid: string }
  kind: 'rw' | 'ro' | 'ping'
  hint: string
}

/** Asks for confirmation before revoking, with or without a script. */
function Revoke({ page, project, kind, hint }: RevokeProps) {
  return (
    <Menu label="Revoke" end>
      <PostForm page={page} action={`/projects/${project.uuid}/keys/revoke/`} class="menu-form">
        <p>
          {kind === 'ping'
            ? 'Jobs that use readable ping URLs get errors until they use a new key.'
            : 'Programs that use this key get errors until they use a new one.'}
        </p>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="hint" value={hint} />
        <button type="submit" class="button button-danger button-small">
          Revoke key
        </button>
      </PostForm>
    </Menu>
  )
}
