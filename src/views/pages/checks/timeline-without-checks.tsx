import { EmptyState } from '../../components/empty-state.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'

/** What the timeline will show. */
export function TimelineWithoutChecks({ page }: { page: PageContext }) {
  const { project } = page
  return (
    <Layout page={page} title="Timeline" section="timeline" measure="full">
      <PageHead title="Timeline" lead="What all checks did within a range of time." />
      <EmptyState title="No checks yet">
        <p>
          Each check has a line here, with a bar for each of its runs.{' '}
          {project === null ? (
            <a href={link(page, '/')}>Choose a project</a>
          ) : mayWrite(page) ? (
            <a href={link(page, `/projects/${project.uuid}/checks/`)}>Create the first check</a>
          ) : null}
        </p>
      </EmptyState>
    </Layout>
  )
}
