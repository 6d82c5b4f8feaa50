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
  /** What is stopped: a channel's alerts, or a user's reports and reminders. */
  of?: 'alerts' | 'reports'
}

const TEXTS = {
  alerts: {
    ask: 'Alerts about checks will no longer be sent to this address.',
    done: 'No more alerts are sent to this address. They can be turned on again only with your consent.',
  },
  reports: {
    ask: 'Reports and reminders will no longer be sent to you. Alerts are not affected.',
    done: 'No more reports and reminders are sent to you. You can turn them on again on your account page.',
  },
}

/** The page behind the link at the end of an e-mail, with one button that stops the messages. */
export function UnsubscribePage({ page, action, state, of = 'alerts' }: Props) {
  if (state === 'wrong') {
    return (
      <Layout page={page} title="Incorrect link" measure="form">
        <PageHead
          title="Incorrect link"
          lead="This link is incomplete, or belongs to an address that is no longer used. Nothing was changed."
        />
      </Layout>
    )
  }
  if (state === 'done') {
    return (
      <Layout page={page} title="Unsubscribed" measure="form">
        <PageHead title="Unsubscribed" lead={TEXTS[of].done} />
      </Layout>
    )
  }
  return (
    <Layout page={page} title="Unsubscribe" measure="form">
      <PageHead title="Unsubscribe" lead={TEXTS[of].ask} />
      <PostForm page={page} action={action}>
        <Button look="primary">Unsubscribe</Button>
      </PostForm>
    </Layout>
  )
}
