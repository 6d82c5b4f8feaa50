import { allChecks } from '../../components/channels/alert-for.js'
import { Disclosure } from '../../components/disclosure.js'
import { ButtonLink } from '../../components/forms/button.js'
import { InlineCode } from '../../components/inline-code.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'
import { type FieldsProps, SettingsForm } from './form.js'
import { newChannelTitle } from './new-channel-title.js'

interface Props {
  page: PageContext
  kind: string
  label: string
  help: string
  back: string
  /** The operator's settings that must be set before the kind can be used, formatted as code. */
  missing: readonly string[]
  /**
   * Connecting at the service, the settings that are missing for it, and the number of checks that it will alert for, null if that
   * is asked afterwards. Null if the kind does not support connecting.
   */
  connection: { help: string; missing: readonly string[]; checks: number | null } | null
  /** What to write to the service's bot, and its address. */
  invitation: { steps: readonly string[]; url: string } | null
  /** The form with the kind's fields; null if there is none. */
  form: (Omit<FieldsProps, 'page' | 'action' | 'back'> & { note: string }) | null
}

/** The page for adding a channel. */
export function AddChannelPage({ page, kind, label, help, back, ...transports }: Props) {
  const title = newChannelTitle(label)
  const { missing, connection, invitation, form } = transports
  const canConnect = missing.length === 0 && connection?.missing.length === 0
  const path = `${back}add/${kind}/`
  const settings = form ? <SettingsForm page={page} action={path} back={back} {...form} /> : null
  return (
    <Layout page={page} title={title} section="integrations" parent="integrations" measure="read">
      <PageHead title={title} lead={<InlineCode text={help} />} />
      {missing.length > 0 ? <NotHere page={page} kind={kind} label={label} missing={missing} /> : null}
      {canConnect ? <Connect page={page} path={path} label={label} {...connection} /> : null}
      {invitation ? <Invite label={label} {...invitation} /> : null}
      {form && form.note !== '' ? <p class="connect">{form.note}</p> : null}
      {settings && canConnect ? (
        <Disclosure summary="Fill in the settings by hand" open={form?.problem !== null}>
          {settings}
        </Disclosure>
      ) : settings ? (
        settings
      ) : null}
      {missing.length === 0 && connection && connection.missing.length > 0 ? (
        <p class="muted after-form">
          <InlineCode
            text={`${label} can also be connected with one click once your administrator has set ${listOf(connection.missing)}. `}
          />
          <Guide page={page} kind={kind} />
        </p>
      ) : null}
    </Layout>
  )
}

interface About {
  page: PageContext
  kind: string
  label: string
}

function NotHere({ page, kind, label, missing }: About & { missing: readonly string[] }) {
  return (
    <p class="notice">
      <InlineCode text={`${label} is not configured. Ask your administrator to set ${listOf(missing)}. `} />
      <Guide page={page} kind={kind} />
    </p>
  )
}

type ConnectProps = Omit<About, 'kind'> & { path: string; help: string; checks: number | null }

/** Links, because a form may not lead to another site. */
function Connect({ page, path, label, help, checks }: ConnectProps) {
  return (
    <section class="connect">
      <p>{checks ? `${help} It will alert for ${allChecks(checks)}.` : help}</p>
      <div class="form-end">
        <ButtonLink look="primary" href={link(page, `${path}connect/`)}>
          {`Connect to ${label}`}
        </ButtonLink>
        {checks ? (
          <ButtonLink href={link(page, `${path}connect/?checks=none`)}>
            Connect, and choose the checks later
          </ButtonLink>
        ) : null}
      </div>
    </section>
  )
}

function Invite({ label, steps, url }: { label: string; steps: readonly string[]; url: string }) {
  return (
    <section class="connect">
      <ol class="steps">
        {steps.map(step => (
          <li>
            <InlineCode text={step} />
          </li>
        ))}
      </ol>
      <ButtonLink look="primary" href={url}>
        {`Open ${label}`}
      </ButtonLink>
    </section>
  )
}

function Guide({ page, kind }: Pick<About, 'page' | 'kind'>) {
  return <a href={link(page, `/docs/integrations/${kind}/`)}>How to set it up</a>
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
