import type { CheckPageProps } from '../../../check-page.js'
import { link } from '../../../page-context.js'
import { CheckPolicy } from '../../channels/check-channels.js'
import { Disclosure } from '../../disclosure.js'
import { Button } from '../../forms/button.js'
import { Tick } from '../../forms/field.js'
import { PostForm } from '../../forms/post-form.js'
import { receiverNames } from './receiver-names.js'

/** The second step: the integrations of the project, and the reader's own address. */
export function SetupReceivers(props: CheckPageProps) {
  const { setup, policy } = props
  if (setup === null) return null
  const names = receiverNames(setup)
  return (
    <div class="setup-step" id="step-receivers" data-part>
      <h2>Who should be alerted?</h2>
      {policy === null ? null : <CheckPolicy {...props} />}
      {policy === null && setup.steps.receivers ? (
        <>
          <p>
            Alerts go to <strong>{names}</strong>.
          </p>
          <Disclosure summary="Change">
            <Form {...props} />
          </Disclosure>
        </>
      ) : null}
      {policy === null && !setup.steps.receivers ? <Form {...props} /> : null}
    </div>
  )
}

function Form({ page, check, channels, setup }: CheckPageProps) {
  const { ownAddress, steps } = setup!
  const isNext = steps.ping && !steps.receivers
  return (
    <PostForm page={page} action={`/checks/${check.uuid}/setup/receivers/`} class="setup-form">
      {channels.map(channel => (
        <Tick
          name="channel"
          value={channel.uuid}
          checked={channel.on}
          label={channel.name || channel.label}
          help={channel.disabled ? 'Disabled' : undefined}
        />
      ))}
      {ownAddress === null ? null : (
        <Tick
          name="own_address"
          checked={!steps.receivers}
          label={ownAddress}
          help="Adds an e-mail integration to the project, for all of its checks."
        />
      )}
      <div class="actions">
        {channels.length > 0 || ownAddress !== null ? (
          <Button stay look={isNext ? 'primary' : 'plain'}>
            Save
          </Button>
        ) : null}
        {page.project ? (
          <a href={link(page, `/projects/${page.project.uuid}/integrations/add/`)}>
            {channels.length > 0 || ownAddress !== null ? 'Add another integration' : 'Add an integration'}
          </a>
        ) : null}
      </div>
    </PostForm>
  )
}
