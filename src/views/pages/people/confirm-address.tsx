import { Button } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  /** The path to which the form is sent. */
  action: string
  state: 'ask' | 'done' | 'wrong'
}

const TEXTS = {
  ask: {
    title: 'Confirm your address',
    lead: 'After you confirm, alerts are sent to your address. Each alert has a link to unsubscribe.',
  },
  done: {
    title: 'Address confirmed',
    lead: 'Alerts are sent to your address from now on. Each alert has a link to unsubscribe.',
  },
  wrong: {
    title: 'Incorrect link',
    lead: 'This link is incomplete, or the address has changed since it was sent.',
  },
}

/** The page behind the link by which the owner of an address consents to alerts. */
export function ConfirmAddressPage({ page, action, state }: Props) {
  const { title, lead } = TEXTS[state]
  return (
    <Layout page={page} title={title} measure="form">
      <PageHead title={title} lead={lead} />
      {state === 'ask' ? (
        <PostForm page={page} action={action}>
          <Button look="primary">Confirm</Button>
        </PostForm>
      ) : null}
    </Layout>
  )
}
