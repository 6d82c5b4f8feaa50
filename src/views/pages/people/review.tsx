import { ROLE_NAMES, type Role } from '../../../core/people/role.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { plural } from '../../../core/text/plural.js'
import { EmailAddress } from '../../components/email-address.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { LeaveProject } from '../../components/leave-project.js'
import { PageHead } from '../../components/page-head.js'
import { Table } from '../../components/table.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** One of the reader's own projects, and who else has access to it. */
export interface ReviewedProject {
  uuid: string
  name: string
  /** The addresses of its members. */
  others: readonly string[]
  invitations: number
  keys: number
  webhooks: number
  channels: number
}

/** A project of others that the reader is a member of. */
export interface JoinedProject {
  uuid: string
  name: string
  role: Role
}

interface Props {
  page: PageContext
  email: string
  hasPassword: boolean
  projects: readonly ReviewedProject[]
  joined: readonly JoinedProject[]
}

/** For a user whose account others could use before its address was proven. */
export function ReviewPage({ page, email, hasPassword, projects, joined }: Props) {
  const shared = projects.some(project => accessParts(project).length > 0)
  return (
    <Layout page={page} title="Review your account" section="account" measure="read">
      <PageHead
        title="Review your account"
        lead={
          <>
            Others may have used this account before you confirmed that <EmailAddress address={email} /> is
            yours. Their passwords, second steps, sessions, API tokens and invitations have ended, and you get
            the reports of a new account.
          </>
        }
      />
      {hasPassword ? null : (
        <p>
          <ButtonLink look="primary" href={link(page, '/accounts/password/')}>
            Choose a password
          </ButtonLink>
        </p>
      )}
      <section class="section">
        <h2>Who else has access to your projects</h2>
        {projects.length === 0 ? <p>You own no projects.</p> : <Projects page={page} projects={projects} />}
        {shared ? (
          <PostForm
            page={page}
            action="/accounts/review/"
            class="after-table"
            confirm="Remove every member, invitation, API key and event webhook of your projects?"
          >
            <p class="help">
              Ping URLs stay the same, so jobs keep reporting. Review the integrations yourself.
            </p>
            <Button look="danger">Remove everyone else’s access</Button>
          </PostForm>
        ) : null}
      </section>
      {joined.length === 0 ? null : <Joined page={page} joined={joined} />}
    </Layout>
  )
}

function Joined({ page, joined }: Pick<Props, 'page' | 'joined'>) {
  return (
    <section class="section">
      <h2>Projects of others</h2>
      <p>Whoever used this account may have joined them. Leave those that you do not know.</p>
      <Table
        caption="Projects of others"
        columns={[
          { title: 'Project', grow: true },
          { title: 'Your role' },
          { title: 'Leave', silent: true, align: 'right' },
        ]}
      >
        {joined.map(project => (
          <tr>
            <td class="grow breakable">
              <a href={link(page, `/projects/${project.uuid}/checks/`)}>{projectLabel(project)}</a>
            </td>
            <td class="figure">{ROLE_NAMES[project.role]}</td>
            <td class="right">
              <LeaveProject page={page} project={project} next="/accounts/review/" />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function Projects({ page, projects }: Pick<Props, 'page' | 'projects'>) {
  return (
    <Table
      caption="Your projects"
      columns={[{ title: 'Project' }, { title: 'Access' }, { title: 'Alerts go to', align: 'right' }]}
    >
      {projects.map(project => (
        <tr>
          <td>
            <a href={link(page, `/projects/${project.uuid}/settings/`)}>{projectLabel(project)}</a>
          </td>
          <td class="breakable">
            <Access project={project} />
          </td>
          <td class="right">
            <a href={link(page, `/projects/${project.uuid}/integrations/`)}>
              {plural(project.channels, 'integration')}
            </a>
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Access({ project }: { project: ReviewedProject }) {
  const parts = accessParts(project)
  if (parts.length === 0) return <>Only you</>
  return (
    <>
      {parts.map(part => (
        <div>
          <EmailAddress address={part} />
        </div>
      ))}
    </>
  )
}

function accessParts({ others, invitations, keys, webhooks }: ReviewedProject): string[] {
  return [
    ...others,
    ...(invitations > 0 ? [plural(invitations, 'invitation')] : []),
    ...(keys > 0 ? [plural(keys, 'API key')] : []),
    ...(webhooks > 0 ? [plural(webhooks, 'event webhook')] : []),
  ]
}
