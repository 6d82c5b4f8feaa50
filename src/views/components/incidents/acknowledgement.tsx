import type { ListedIncident } from '../../../core/incidents/listed-incident.js'
import { mayWrite, type PageContext } from '../../page-context.js'
import { Button } from '../forms/button.js'
import { PostForm } from '../forms/post-form.js'
import { AcknowledgeFields, incidentValue } from './acknowledge-fields.js'
import { AckWords } from './incident-words.js'

/** The path of an incident's page. */
export function incidentPath({ project }: Pick<PageContext, 'project'>, id: number): string {
  return `/projects/${project!.uuid}/incidents/${id}/`
}

interface Props {
  page: PageContext
  incident: ListedIncident
  /** Whether the page says elsewhere by whom it is acknowledged. */
  isSaid?: boolean
}

/** Who is on it, and for those who may, the forms. */
export function Acknowledgement({ page, incident, isSaid = false }: Props) {
  const { id, acknowledged, closedAt } = incident
  const path = incidentPath(page, id)
  const isOpen = closedAt === null
  return (
    <div class="ack">
      {acknowledged && !isSaid ? (
        <p>
          <AckWords page={page} ack={acknowledged} />
        </p>
      ) : !acknowledged && isOpen && !mayWrite(page) ? (
        <p class="muted">Not acknowledged.</p>
      ) : null}
      {isOpen && mayWrite(page) && acknowledged ? (
        <PostForm page={page} action={`${path}unacknowledge/`}>
          <Button small>Remove acknowledgement</Button>
        </PostForm>
      ) : null}
      {isOpen && mayWrite(page) && !acknowledged ? (
        <PostForm page={page} action="/incidents/acknowledge/" class="ack-form">
          <input type="hidden" name="incident" value={incidentValue([{ id, project: page.project! }])} />
          <AcknowledgeFields look="primary" />
        </PostForm>
      ) : null}
    </div>
  )
}
