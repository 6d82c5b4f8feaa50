import { projectLabel } from '../../../../core/projects/project-label.js'
import { CopyLine } from '../../../components/copy.js'
import { Menu } from '../../../components/disclosure.js'
import { Button } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Table } from '../../../components/table.js'
import { Time } from '../../../components/time.js'
import { link, type PageContext } from '../../../page-context.js'
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
      {shown?.what === 'rw' || shown?.what === 'ro' ? (
        <div class="notice stack">
          <p>
            <strong>Copy the new key now.</strong> Only its first characters are kept, so it cannot be shown
            again.
          </p>
          <CopyLine text={shown.text} label="the key" />
          {shown.what === 'ro' ? (
            <p>
              With it a screen on the wall shows this project:{' '}
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
            { title: 'May', grow: true },
            { title: 'Made', wide: true },
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
        <p class="muted">
          There is none. Programs use a key to read and change this project through the API.
        </p>
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
          <p class="muted">There is none. With one, jobs ping by a readable name instead of a UUID.</p>
          <PostForm page={page} action={`/projects/${project.uuid}/keys/add/`} class="form-end after-table">
            <Button name="kind" value="ping">
              New ping key
            </Button>
          </PostForm>
        </>
      ) : (
        <>
          <p class="muted">Part of every ping URL with a readable name.</p>
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
            ? 'Jobs that ping by name get errors until they use a new key.'
            : 'Programs that use this key get errors until they have another.'}
        </p>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="hint" value={hint} />
        <button type="submit" class="button button-danger button-small">
          Revoke the key
        </button>
      </PostForm>
    </Menu>
  )
}
