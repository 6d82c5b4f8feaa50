import type { Drawn, LinkedCheck } from '../../../core/incidents/dependency-tree.js'
import { are, plural } from '../../../core/text/plural.js'
import { EmptyState } from '../../components/empty-state.js'
import { DependencyLine } from '../../components/incidents/check-dependencies.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  tree: readonly Drawn<LinkedCheck>[]
  /** The number of checks in the drawing that are down, and of all in it. */
  down: number
  all: number
}

/** A drawing of more checks than this does not show everything at once. */
const MOST_UNFOLDED = 60

/** Who depends on whom in a project. */
export function DependenciesPage({ page, tree, down, all }: Props) {
  return (
    <Layout page={page} title="Dependencies" section="checks" parent="checks">
      <PageHead
        title="Dependencies"
        lead="Each check depends on the one that it is under. While one is down, alerts about those under it are held."
      />
      {tree.length === 0 ? (
        <EmptyState title="No dependencies">
          <p>To add a dependency, edit a check and choose the checks that it depends on.</p>
        </EmptyState>
      ) : (
        <>
          <p>
            {down} of {plural(all, 'check')} {are(down)} down.
          </p>
          <Tree page={page} nodes={tree} folds={all > MOST_UNFOLDED} />
        </>
      )}
    </Layout>
  )
}

interface TreeProps {
  page: PageContext
  nodes: readonly Drawn<LinkedCheck>[]
  /** Whether checks under which nothing is down are folded. */
  folds: boolean
}

function Tree({ page, nodes, folds }: TreeProps) {
  return (
    <ul class="dependencies tree">
      {nodes.map(({ check, children, more, again }) => (
        <li>
          <DependencyLine page={page} check={check} />
          {again ? <span class="muted"> (those under it are shown above)</span> : null}
          {children.length === 0 ? null : folds && children.every(isQuiet) ? (
            <details>
              <summary class="muted">{plural(children.length, 'check')} under it, none down</summary>
              <Tree page={page} nodes={children} folds={false} />
            </details>
          ) : (
            <Tree page={page} nodes={children} folds={folds} />
          )}
          {more > 0 ? <p class="muted">and {more} more</p> : null}
        </li>
      ))}
    </ul>
  )
}

/** Whether neither the check nor any under it is down. */
function isQuiet({ check, children }: Drawn<LinkedCheck>): boolean {
  return check.status !== 'down' && children.every(isQuiet)
}
