import { runLimitMs } from '../../../core/checks/status.js'
import { periodWords } from '../../../core/time/duration.js'
import type { CheckPageProps } from '../../check-page.js'
import { link } from '../../page-context.js'
import { runsSearch } from '../../timeline-query.js'
import { RunList } from './run-list.js'
import { inShownZone, Zones } from './zones.js'

type Props = Pick<CheckPageProps, 'page' | 'check' | 'entries' | 'older' | 'shown'>

/** The runs of a check, in pages. The log has the individual pings. */
export function RunSection(props: Props) {
  const { page, check, entries, older, shown } = props
  const here = pathOf(check)
  return (
    <section class="section" id="runs">
      <h2>
        Runs{' '}
        <span class="head-links">
          <a href={link(page, `/checks/${check.uuid}/compare/`)}>Compare</a>{' '}
          <a href={link(page, `/checks/${check.uuid}/log/`)}>Log</a>
        </span>
      </h2>
      <RunsHelp {...props} />
      <RunList page={inShownZone(props)} check={check} entries={entries} />
      <nav class="pager" aria-label="Pages of runs">
        {shown.before === '' ? null : (
          <a href={link(page, `${here}${runsSearch({ ...shown, before: '' })}#runs`)}>Newest</a>
        )}
        {older === null ? null : (
          <a href={link(page, `${here}${runsSearch({ ...shown, before: older })}#runs`)}>Older</a>
        )}
      </nav>
    </section>
  )
}

/** The limit of a run, and the time zones to choose from; empty without runs. */
export function RunsHelp(props: Props) {
  const { check, entries, shown } = props
  return (
    <div id="runs-help" data-part>
      {entries.length === 0 ? null : (
        <p class="runs-help">
          A run may take {periodWords(runLimitMs(check) / 1000)}. Open one for its pings.
          <Zones {...props} addressIn={zone => `${pathOf(check)}${runsSearch({ ...shown, zone })}#runs`} />
        </p>
      )}
    </div>
  )
}

function pathOf({ uuid }: Props['check']): string {
  return `/checks/${uuid}/details/`
}
