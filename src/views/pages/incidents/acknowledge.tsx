import type { ListedIncident } from '../../../core/incidents/listed-incident.js'
import { Button } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { causeSentence, incidentLabel } from '../../components/incidents/incident-words.js'
import { PageHead } from '../../components/page-head.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  /** The path to which the button posts. */
  action: string
  /** Null: the link is wrong. */
  incident: ListedIncident | null
}

/** The page behind the link in a message. It shows what the message showed, and one button. */
export function AcknowledgePage({ page, action, incident }: Props) {
  if (incident === null) {
    return (
      <Layout page={page} title="Incorrect link" measure="form">
        <PageHead
          title="Incorrect link"
          lead="This link is incomplete, or belongs to an incident that is no longer kept. Nothing was acknowledged."
        />
      </Layout>
    )
  }
  const name = incidentLabel(incident.check)
  const { closedAt, openedAt, acknowledged } = incident
  const at = (ms: number) => <Time page={page} at={ms} show="exact" />
  if (closedAt !== null) {
    return (
      <Layout page={page} title="It is over" measure="form">
        <PageHead
          title="It is over"
          lead={
            <>
              {name} went down {at(openedAt)}, and the incident closed {at(closedAt)}. There is nothing to
              acknowledge.
            </>
          }
        />
      </Layout>
    )
  }
  if (acknowledged !== null) {
    return (
      <Layout page={page} title="Acknowledged" measure="form">
        <PageHead
          title="Acknowledged"
          lead={
            <>
              {name} is down since {at(openedAt)}. It was acknowledged {at(acknowledged.at)}: repeats and
              further steps stop, and its recovery is sent.
            </>
          }
        />
      </Layout>
    )
  }
  return (
    <Layout page={page} title={`Acknowledge ${name}`} measure="form">
      <PageHead
        title={`Acknowledge ${name}?`}
        lead={
          <>
            Down since {at(openedAt)}. {causeSentence(incident.cause)} Repeats and further steps stop; its
            recovery is sent.
          </>
        }
      />
      <PostForm page={page} action={action}>
        <Button look="primary">Acknowledge</Button>
      </PostForm>
    </Layout>
  )
}
