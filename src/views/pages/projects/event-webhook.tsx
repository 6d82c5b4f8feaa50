import { EVENT_TYPE_NAMES, OBJECT_KINDS, objectKindOf } from '../../../core/events/event-types.js'
import { eventWords, KIND_WORDS } from '../../../core/events/event-words.js'
import { WEBHOOK_LIMITS, type Webhook } from '../../../core/events/webhook.js'
import { CopyLine } from '../../components/copy.js'
import { Disclosure } from '../../components/disclosure.js'
import { Duration } from '../../components/duration.js'
import { Button } from '../../components/forms/button.js'
import { Field, Tick, TickGroup } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { errorOf, FormProblem, type Problem } from '../../components/forms/form-problem.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { WebhookState } from './project-settings/webhooks.js'

export interface TypedWebhook {
  name: string
  url: string
  /** Empty: all. */
  types: readonly string[]
}

interface AddProps {
  page: PageContext
  action: string
  cancel: string
  typed: TypedWebhook
  problem: Problem | null
}

/** The form for a new event webhook. */
export function AddWebhookPage({ page, action, cancel, typed, problem }: AddProps) {
  return (
    <Layout page={page} title="New event webhook" section="settings" parent="settings" measure="form">
      <PageHead
        title="New event webhook"
        lead="Every event of the project is sent to an address, signed and in order."
      />
      <PostForm page={page} action={action} class="form">
        <Fields typed={typed} problem={problem} />
        <FormEnd page={page} cancel={cancel}>
          <Button look="primary">Create event webhook</Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}

interface Props {
  page: PageContext
  /** The path of the webhook, and that of the settings where all are listed. */
  path: string
  settings: string
  webhook: Webhook
  attempts: readonly Attempt[]
  typed: TypedWebhook
  problem: Problem | null
  /** The new secret, which is shown once. */
  shown: string | null
}

interface Attempt {
  type: string
  at: number
  durationMs: number
  /** Null: there was no answer. */
  status: number | null
  /** Empty: it arrived. */
  error: string
}

/** An event webhook: its state, its newest requests, and what can be done with it. */
export function WebhookPage({ page, path, settings, webhook, attempts, typed, problem, shown }: Props) {
  const { name, enabled } = webhook
  return (
    <Layout page={page} title={name} section="settings" parent="settings" measure="form">
      <PageHead title={name} lead={<WebhookState page={page} webhook={webhook} />} />
      {shown === null ? null : (
        <div class="notice stack">
          <p>
            <strong>Copy the secret now.</strong> Requests are signed with it, and it is not shown again.
          </p>
          <CopyLine text={shown} label="the secret" />
        </div>
      )}
      <div class="form-end">
        <PostForm page={page} action={`${path}test/`}>
          <Button>Send a test</Button>
        </PostForm>
        <PostForm page={page} action={`${path}enabled/`}>
          <input type="hidden" name="enabled" value={enabled ? 'off' : 'on'} />
          <Button>{enabled ? 'Disable' : 'Enable'}</Button>
        </PostForm>
      </div>
      <section class="section" id="requests">
        <h2>Newest requests</h2>
        <Attempts page={page} attempts={attempts} />
      </section>
      <section class="section" id="settings">
        <h2>Settings</h2>
        <PostForm page={page} action={path} class="form">
          <Fields typed={typed} problem={problem} />
          <FormEnd page={page} cancel={settings}>
            <Button look="primary">Save</Button>
          </FormEnd>
        </PostForm>
      </section>
      <section class="section" id="secret">
        <h2>Secret and deletion</h2>
        <p class="muted">
          <a href={link(page, '/docs/event-webhooks/')}>What is sent, and how to check its signature</a>
        </p>
        <Disclosure summary="Make a new secret">
          <PostForm page={page} action={`${path}secret/`} class="form">
            <p>
              The next request is signed with it. Requests fail the receiver’s check until it knows the new
              one.
            </p>
            <Button>Make a new secret</Button>
          </PostForm>
        </Disclosure>
        <Disclosure summary="Delete this event webhook" danger>
          <PostForm page={page} action={`${path}remove/`} class="form">
            <p>Nothing more is sent to its address.</p>
            <Button look="danger">Delete event webhook</Button>
          </PostForm>
        </Disclosure>
      </section>
    </Layout>
  )
}

function Fields({ typed, problem }: { typed: TypedWebhook; problem: Problem | null }) {
  return (
    <>
      <FormProblem problem={problem} />
      <Field
        label="Name"
        name="name"
        value={typed.name}
        maxlength={WEBHOOK_LIMITS.nameLength}
        required
        error={errorOf(problem, 'name')}
      />
      <Field
        label="Address"
        name="url"
        type="url"
        value={typed.url}
        maxlength={WEBHOOK_LIMITS.urlLength}
        placeholder="https://example.org/events"
        required
        mono
        error={errorOf(problem, 'url')}
      />
      <Disclosure
        summary={typed.types.length === 0 ? 'All events' : `${typed.types.length} types of events`}
        open={problem?.field === 'types'}
      >
        <p class="help">None chosen: all events, also of types that are added later.</p>
        <div class="tick-groups">
          {OBJECT_KINDS.map(kind => (
            <TickGroup label={KIND_WORDS[kind] ?? kind}>
              {EVENT_TYPE_NAMES.filter(type => objectKindOf(type) === kind).map(type => (
                <Tick
                  name="types"
                  value={type}
                  label={eventWords({ type })}
                  checked={typed.types.includes(type)}
                />
              ))}
            </TickGroup>
          ))}
        </div>
      </Disclosure>
      {errorOf(problem, 'types') ? <p class="error">{errorOf(problem, 'types')}</p> : null}
    </>
  )
}

function Attempts({ page, attempts }: Pick<Props, 'page' | 'attempts'>) {
  if (attempts.length === 0) return <p class="muted">Nothing was sent yet.</p>
  return (
    <Table
      caption="Newest requests"
      columns={[
        { title: 'Event', grow: true },
        { title: 'Sent' },
        { title: 'Took', align: 'right', wide: true },
      ]}
    >
      {attempts.map(({ type, at, durationMs, status, error }) => (
        <tr>
          <td class="grow breakable">
            {type === 'test' ? 'Test' : eventWords({ type: type as Webhook['types'][number] })}
            <span class={error === '' ? 'help' : 'help error'}>
              {error === '' ? `Answered ${status}` : error}
            </span>
          </td>
          <td class="figure">
            <Time page={page} at={at} />
          </td>
          <td class="right wide figure">
            <Duration ms={durationMs} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
