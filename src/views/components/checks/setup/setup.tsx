import type { CheckPageProps } from '../../../check-page.js'
import { Disclosure } from '../../disclosure.js'
import { Button } from '../../forms/button.js'
import { PostForm } from '../../forms/post-form.js'
import { PingAddresses } from '../how-to-ping.js'
import { SetupArrival } from './setup-arrival.js'
import { SetupReceivers } from './setup-receivers.js'
import { SetupTest } from './setup-test.js'
import { SnippetTiles } from './snippet-tiles.js'

/** The steps that set up a new check: its first ping, who is alerted, and a test alert. Folded once it was pinged. */
export function Setup(props: CheckPageProps) {
  const { setup } = props
  if (setup === null) return null
  return (
    <section class="section setup" id="setup" aria-label="Set up this check">
      <SetupProgress {...props} />
      {/* A link to a step unfolds them, and so does the address to which the form of a step leads. */}
      {setup.steps.ping ? (
        <Disclosure summary="Show the steps">
          <Steps {...props} />
        </Disclosure>
      ) : (
        <Steps {...props} />
      )}
    </section>
  )
}

function Steps(props: CheckPageProps) {
  const { setup, check, addresses } = props
  const isPinged = setup!.steps.ping
  return (
    <>
      <div class="setup-step how-to-ping" id="step-ping">
        <h2>{isPinged ? 'First ping' : 'What runs the job?'}</h2>
        {isPinged ? null : (
          <SnippetTiles url={addresses.uuid} script={addresses.script} timing={check} look="primary" />
        )}
        <div aria-live="polite">
          <SetupArrival {...props} />
        </div>
        {isPinged ? null : <PingAddresses {...props} />}
      </div>
      <SetupReceivers {...props} />
      <SetupTest {...props} />
    </>
  )
}

const STEPS = [
  { step: 'ping', label: 'First ping' },
  { step: 'receivers', label: 'Alerts' },
  { step: 'test', label: 'Test' },
] as const

/** How far the set-up is, and what closes it for this check. */
export function SetupProgress({ page, check, setup }: Pick<CheckPageProps, 'page' | 'check' | 'setup'>) {
  if (setup === null) return null
  const { steps } = setup
  const isDone = STEPS.every(({ step }) => steps[step])
  return (
    <div class="setup-head" id="setup-progress" data-part>
      <ol class="setup-steps">
        {STEPS.map(({ step, label }, index) => (
          <li class={steps[step] ? 'is-done' : undefined}>
            <a href={`#step-${step}`}>
              <span class="setup-number" aria-hidden="true">
                {steps[step] ? '✓' : index + 1}
              </span>
              {label}
              {steps[step] ? <span class="sr-only">, done</span> : null}
            </a>
          </li>
        ))}
      </ol>
      <PostForm page={page} action={`/checks/${check.uuid}/setup/`}>
        <Button stay small look="quiet" name="shown" value="no" title="Hide these steps for this check">
          {isDone ? 'Done' : 'Close'}
        </Button>
      </PostForm>
    </div>
  )
}
