import type { Run } from '../../../core/checks/run-strip.js'
import type { PageContext } from '../../page-context.js'
import { Duration } from '../duration.js'
import { Table } from '../table.js'
import { Time } from '../time.js'
import { OUTCOME_WORDS } from './run-strip.js'

const SHOWN = 50

/** The values of the chart, for those who would rather read them. */
export function RunTable({ page, runs }: { page: PageContext; runs: readonly Run[] }) {
  return (
    <Table
      columns={[{ title: 'When' }, { title: 'Run', grow: true }, { title: 'Took', align: 'right' }]}
      caption="Runs"
    >
      {runs
        .slice(-SHOWN)
        .toReversed()
        .map(run => (
          <tr>
            <td class="figure">
              <Time page={page} at={run.at} show="exact" />
            </td>
            <td>
              {OUTCOME_WORDS[run.outcome]}
              {run.exitStatus ? `, exit status ${run.exitStatus}` : ''}
            </td>
            <td class="right">
              <Duration ms={run.durationMs} />
            </td>
          </tr>
        ))}
    </Table>
  )
}
