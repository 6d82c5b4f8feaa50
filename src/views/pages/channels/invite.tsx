import { projectLabel } from '../../../core/projects/project-label.js'
import { Button } from '../../components/forms/button.js'
import { Choice } from '../../components/forms/choice.js'
import { Select, TickGroup } from '../../components/forms/field.js'
import { PostForm } from '../../components/forms/post-form.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'
import { newChannelTitle } from './new-channel-title.js'

interface Props {
  page: PageContext
  label: string
  /** The chat in which a user wrote to the bot. */
  chat: string
  action: string
  /** The projects that the reader may change. */
  projects: readonly { uuid: string; name: string }[]
}

/** Asks which project a chat is to be added to. */
export function InvitedChatPage({ page, label, chat, action, projects }: Props) {
  const title = newChannelTitle(label)
  return (
    <Layout page={page} title={title} measure="form">
      <PageHead title={title} lead={`${chat} will be alerted when a check of the project goes down or up.`} />
      {projects.length === 0 ? (
        <p>
          You have no project that you may change. Ask a project owner to open this link or to change your
          role.
        </p>
      ) : (
        <PostForm page={page} action={action} class="form">
          <Select
            label="Project"
            name="project"
            options={projects.map(project => ({ value: project.uuid, label: projectLabel(project) }))}
          />
          <TickGroup label="Alert for">
            <Choice name="checks" value="all" now="all" label="All checks of the project" />
            <Choice name="checks" value="none" now="all" label="Only those I choose later" />
          </TickGroup>
          <div class="form-end">
            <Button look="primary">Add</Button>
          </div>
        </PostForm>
      )}
    </Layout>
  )
}
