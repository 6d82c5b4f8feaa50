import { link, type PageContext } from '../../../page-context.js'
import type { SignedChannel } from '../../channels/channel-toggle.js'
import { Select, Tick, TickGroup } from '../../forms/field.js'

export interface AlertsPartProps {
  page: PageContext
  project: { uuid: string }
  /** The channels of the project, and which of them the check has. */
  channels: readonly (SignedChannel & { on: boolean })[]
  /** The policies of the project, and the one that the check names. */
  policies: readonly { id: number; name: string; isDefault: boolean }[]
  policy: number | null
  policyError: string | undefined
}

/** Who is alerted about a check: its integrations and its policy. */
export function AlertsPart(props: AlertsPartProps) {
  return (
    <section class="form-part" id="alerts">
      <h2>Who is alerted</h2>
      <div class="form">
        <Channels {...props} />
        {props.policies.length > 0 ? <PolicyChoice {...props} /> : null}
      </div>
    </section>
  )
}

function Channels({ page, project, channels, policies }: AlertsPartProps) {
  const nobody = 'No one is alerted when this check goes down'
  if (channels.length === 0) {
    return (
      <p class="notice">
        {nobody}: the project has no integration.{' '}
        <a href={link(page, `/projects/${project.uuid}/integrations/`)}>Add an integration</a>
      </p>
    )
  }
  return (
    <div class="channel-choices">
      <input type="hidden" name="choose_channels" value="1" />
      <TickGroup label="Integrations">
        {channels.map(({ uuid, name, label, trouble, on }) => (
          <>
            <input type="hidden" name="offered_channel" value={uuid} />
            <Tick
              name="channel"
              value={uuid}
              label={name || label}
              checked={on}
              help={trouble === null ? undefined : `Not working: ${trouble}`}
            />
          </>
        ))}
      </TickGroup>
      <p class="notice no-channel">
        {policies.length === 0
          ? `${nobody}.`
          : `${nobody}, unless a step of its policy names an integration.`}
      </p>
    </div>
  )
}

function PolicyChoice({ page, project, policies, policy, policyError }: AlertsPartProps) {
  const byDefault = policies.find(({ isDefault }) => isDefault)
  const none = byDefault ? `The default: ${byDefault.name}` : 'None: its own integrations, at once'
  return (
    <Select
      label="Policy"
      name="policy"
      value={policy === null ? '' : String(policy)}
      error={policyError}
      autofocus={policyError !== undefined}
      help={
        <>
          Who is alerted later, and how often:{' '}
          <a href={link(page, `/projects/${project.uuid}/policies/`)}>policies</a>. A change applies to an
          open incident, too.
        </>
      }
      options={[
        { value: '', label: none },
        ...policies.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
