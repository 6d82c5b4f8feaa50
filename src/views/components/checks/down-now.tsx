import { checkLabel } from '../../../core/alerts/alert.js'
import type { DownCheck } from '../../../core/checks/down-check.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { link, type PageContext } from '../../page-context.js'
import { AckMark } from '../incidents/ack-mark.js'
import { Table } from '../table.js'
import { StateSentence } from './state-sentence.js'
import { StatusGlyph } from './status-glyph.js'

interface Props {
  page: PageContext
  checks: readonly DownCheck[]
  /** The number of checks that are down in all projects. */
  total: number
}

/** The checks that are down, in any project: which, since when, and why. */
export function DownNow({ page, checks, total }: Props) {
  return (
    <section id="down-now" data-part class="down-now" hidden={checks.length === 0}>
      {checks.length === 0 ? null : (
        <Table
          caption="Checks that are down"
          class="stacks"
          columns={[{ title: 'Status', silent: true }, { title: 'Down' }, { title: 'Why', grow: true }]}
        >
          {checks.map(check => (
            <tr>
              <td class="glyph-cell">
                <StatusGlyph status="down" running={check.state.running !== null} />
              </td>
              <td class="down-name">
                <a class="name" href={link(page, `/checks/${check.uuid}/details/`)}>
                  {checkLabel(check)}
                </a>
                <a class="second of-project" href={link(page, `/projects/${check.project.uuid}/checks/`)}>
                  {projectLabel(check.project)}
                </a>
              </td>
              <td class="grow">
                <StateSentence page={page} check={check} state={check.state} exitStatus={check.exitStatus} />{' '}
                <AckMark page={page} ack={check.acknowledged} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {total > checks.length ? (
        <p class="muted spaced">and {total - checks.length} more, in the projects below</p>
      ) : null}
    </section>
  )
}
