import type { Status } from '../../../core/checks/check.js'
import type { DownCheck } from '../../../core/checks/down-check.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import type { ProjectOverview } from '../../../core/projects/project-overview.js'
import { DownNow } from '../../components/checks/down-now.js'
import { StatusGlyph } from '../../components/checks/status-glyph.js'
import { Summary } from '../../components/checks/summary.js'
import { EmptyState } from '../../components/empty-state.js'
import { ButtonLink } from '../../components/forms/button.js'
import { Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

export interface OverviewProject extends ProjectOverview {
  name: string
}

interface Props {
  page: PageContext
  projects: readonly OverviewProject[]
  /** Checks that are down, not necessarily all. */
  downChecks: readonly DownCheck[]
  /** See http/web/live/live.ts. */
  version: string
}

/** All projects of the reader, those with problems first. */
export function OverviewPage({ page, projects, downChecks, version }: Props) {
  return (
    <Layout title="Projects" page={page} section="overview" scripts={['live']}>
      <header class="page-head" data-live={link(page, '/live/')} data-version={version}>
        <div>
          <OverviewSummary projects={projects} />
          <FirstCheckLink page={page} projects={projects} />
        </div>
        <div class="actions">
          <ButtonLink href={link(page, '/projects/add/')}>New project</ButtonLink>
        </div>
      </header>
      <DownNow page={page} checks={downChecks} total={page.problems} />
      {projects.length === 0 ? (
        <EmptyState title="No projects yet">
          <p>
            A project holds checks, their integrations and the people who look after them.{' '}
            <a href={link(page, '/projects/add/')}>Create your first project</a>.
          </p>
        </EmptyState>
      ) : (
        <Table
          caption="Projects"
          columns={[
            { title: 'Status', silent: true },
            { title: 'Project', grow: true },
            { title: 'Down', align: 'right' },
            { title: 'Late', align: 'right', wide: true },
            { title: 'Running', align: 'right', wide: true },
            { title: 'Checks', align: 'right' },
            { title: 'Integrations', align: 'right', wide: true },
            { title: 'Last ping', wide: true },
          ]}
        >
          {projects.map(project => (
            <ProjectRow page={page} project={project} />
          ))}
        </Table>
      )}
    </Layout>
  )
}

/** Whether anything is wrong in any project, in the words of the list of checks. */
export function OverviewSummary({ projects }: Pick<Props, 'projects'>) {
  const sum = (count: (project: OverviewProject) => number) =>
    projects.reduce((total, project) => total + count(project), 0)
  const counts = {
    all: sum(({ checks }) => checks),
    down: sum(({ down }) => down),
    late: sum(({ late }) => late),
    running: sum(({ running }) => running),
    up: sum(({ checks, down, late, paused, new: unpinged }) => checks - down - late - paused - unpinged),
    new: sum(project => project.new),
    paused: sum(({ paused }) => paused),
    // Not known here: their alerts have not been sent.
    failing: 0,
  }
  return <Summary counts={counts} />
}

/** Where the first check is created; hidden once there is one. */
export function FirstCheckLink({ page, projects }: Pick<Props, 'page' | 'projects'>) {
  const [first] = projects
  const isEmpty = first !== undefined && projects.every(({ checks }) => checks === 0)
  return (
    <p id="first-check" data-part class="lead" hidden={!isEmpty}>
      {isEmpty ? (
        <>
          <a href={link(page, `/projects/${first.uuid}/checks/`)}>Create the first check</a>: three steps to
          the first alert.
        </>
      ) : null}
    </p>
  )
}

/** A project's row; see `data-live`. */
export function ProjectRow({ page, project }: { page: PageContext; project: OverviewProject }) {
  return (
    <tr id={`p-${project.uuid}`} data-part class={project.down > 0 ? 'is-down' : undefined}>
      <td class="glyph-cell">
        <StatusGlyph status={statusOf(project)} running={project.running > 0} />
      </td>
      <td class="grow">
        <a class="name" href={link(page, `/projects/${project.uuid}/checks/`)}>
          {projectLabel(project)}
        </a>
      </td>
      <td class={project.down > 0 ? 'right is-bad' : 'right muted'}>{project.down}</td>
      <td class={project.late > 0 ? 'right wide' : 'right wide muted'}>{project.late}</td>
      <td class={project.running > 0 ? 'right wide' : 'right wide muted'}>{project.running}</td>
      <td class="right">{project.checks}</td>
      <td class="right wide">
        {project.channels === 0 && project.checks > 0 ? (
          <a class="warn" href={link(page, `/projects/${project.uuid}/integrations/`)}>
            none
          </a>
        ) : (
          project.channels
        )}
      </td>
      <td class="wide figure">
        <Time page={page} at={project.lastPing} />
      </td>
    </tr>
  )
}

/** The worst status in a project: down before late before up; new or paused only if there is nothing else. */
function statusOf(project: OverviewProject): Status {
  if (project.down > 0) return 'down'
  if (project.late > 0) return 'grace'
  if (project.new + project.paused < project.checks) return 'up'
  return project.new > 0 || project.checks === 0 ? 'new' : 'paused'
}
