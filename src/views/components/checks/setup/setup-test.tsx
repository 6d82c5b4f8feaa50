import type { CheckPageProps } from '../../../check-page.js'
import { Button } from '../../forms/button.js'
import { PostForm } from '../../forms/post-form.js'
import { receiverNames } from './receiver-names.js'

/** The third step: a test alert to those that are alerted of this check. */
export function SetupTest({ page, check, setup }: Pick<CheckPageProps, 'page' | 'check' | 'setup'>) {
  if (setup === null) return null
  const { steps, receivers } = setup
  const failed = receivers.filter(({ disabled, error }) => !disabled && error !== '')
  const isNext = steps.ping && steps.receivers && !steps.test
  return (
    <div class="setup-step" id="step-test" data-part>
      <h2>Send a test alert</h2>
      {steps.receivers ? (
        <>
          <p>
            {steps.test ? 'The last message arrived. ' : ''}A test goes to{' '}
            <strong>{receiverNames(setup)}</strong>.
          </p>
          {failed.map(({ name, error }) => (
            <p class="setup-error">
              {name}: not delivered: {error}
            </p>
          ))}
          <PostForm page={page} action={`/checks/${check.uuid}/setup/test/`}>
            <Button stay look={isNext ? 'primary' : 'plain'}>
              {steps.test ? 'Send another test' : 'Send test alert'}
            </Button>
          </PostForm>
        </>
      ) : (
        <p class="muted">Choose first who is alerted.</p>
      )}
    </div>
  )
}
