import { browserName } from '../../../../core/people/browser-name.js'
import { Button } from '../../../components/forms/button.js'
import { PostForm } from '../../../components/forms/post-form.js'
import { Table } from '../../../components/table.js'
import { Time } from '../../../components/time.js'
import type { PageContext } from '../../../page-context.js'

export interface Session {
  uuid: string
  ua: string
  address: string | null
  createdAt: number
  seenAt: number
  /** Whether it is the reader's current session. */
  current: boolean
}

/** The sessions of the user. */
export function Sessions({ page, sessions }: { page: PageContext; sessions: readonly Session[] }) {
  return (
    <section class="section" id="sessions">
      <h2>Sessions</h2>
      <Table
        caption="Sessions"
        columns={[
          { title: 'Browser', grow: true },
          { title: 'Last seen' },
          { title: 'Began', wide: true },
          { title: 'Actions', silent: true, align: 'right' },
        ]}
      >
        {sessions.map(session => (
          <tr>
            <td class="grow breakable" title={session.ua}>
              {browserName(session.ua)}
              <span class="help">{session.address ?? 'Unknown address'}</span>
            </td>
            <td class="figure">
              {session.current ? 'This session' : <Time page={page} at={session.seenAt} />}
            </td>
            <td class="wide figure">
              <Time page={page} at={session.createdAt} />
            </td>
            <td class="right">
              {session.current ? null : (
                <PostForm page={page} action={`/accounts/sessions/${session.uuid}/revoke/`}>
                  <Button small look="quiet">
                    Sign out
                  </Button>
                </PostForm>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {sessions.length > 1 ? (
        <PostForm page={page} action="/accounts/sessions/revoke/" class="after-table">
          <Button>Sign out everywhere else</Button>
        </PostForm>
      ) : null}
    </section>
  )
}
