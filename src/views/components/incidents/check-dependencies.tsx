import type { LinkedCheck } from '../../../core/incidents/dependency-tree.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'
import { StatusGlyph } from '../checks/status-glyph.js'

interface Props {
  page: PageContext
  check: { uuid: string }
  dependencies: { parents: readonly LinkedCheck[]; children: readonly LinkedCheck[]; more: number }
}

/** The checks on which a check depends, and those that depend on it; nothing if there are neither. */
export function CheckDependencies({ page, check, dependencies }: Props) {
  const { parents, children, more } = dependencies
  if (parents.length + children.length === 0) return null
  const edit = link(page, `/checks/${check.uuid}/edit/#dependencies`)
  return (
    <section class="section" id="dependencies" data-part>
      <h2>Dependencies {mayWrite(page) ? <a href={edit}>Edit</a> : null}</h2>
      <dl class="facts">
        {parents.length > 0 ? (
          <>
            <dt>Depends on</dt>
            <dd>
              <Linked page={page} checks={parents} />
            </dd>
          </>
        ) : null}
        {children.length > 0 ? (
          <>
            <dt>Dependants</dt>
            <dd>
              <Linked page={page} checks={children} />
              {more > 0 ? <p class="muted">and {more} more</p> : null}
            </dd>
          </>
        ) : null}
      </dl>
      {page.project ? (
        <p>
          <a href={link(page, `/projects/${page.project.uuid}/dependencies/`)}>All dependencies</a>
        </p>
      ) : null}
    </section>
  )
}

function Linked({ page, checks }: { page: PageContext; checks: readonly LinkedCheck[] }) {
  return (
    <ul class="dependencies">
      {checks.map(one => (
        <li>
          <DependencyLine page={page} check={one} />
        </li>
      ))}
    </ul>
  )
}

/** The status and the name of a check; one that is down says so in words, too. */
export function DependencyLine({ page, check }: { page: PageContext; check: LinkedCheck }) {
  return (
    <>
      <StatusGlyph status={check.status} word={check.status === 'down'} />{' '}
      <a href={link(page, `/checks/${check.uuid}/details/`)}>{check.label}</a>
    </>
  )
}
