import type { Lane } from '../../../../core/checks/lanes/lane.js'
import { wentWrong } from '../../../../core/checks/lanes/lane.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { PageContext } from '../../../page-context.js'
import { RunLine, shownAt } from './lane-runs.js'

/** The maximum number of events that are listed. */
const MOST = 500

interface Props {
  page: PageContext
  lanes: readonly Lane[]
  tz: string
  /** Whether anything can be known of this time. */
  isKnown: boolean
  /** The address of the timeline with the runs of a check. */
  addressOf: (check: string) => string
}

/** What went wrong as text, in the order of time. */
export function LaneEvents({ page, lanes, tz, isKnown, addressOf }: Props) {
  const events = lanes
    .flatMap(({ check, runs }) => runs.filter(wentWrong).map(run => ({ check, run })))
    .sort((a, b) => shownAt(a.run) - shownAt(b.run))
  if (events.length === 0 && !isKnown) return null
  if (events.length === 0) return <p class="muted">Nothing went wrong in this time.</p>
  return (
    <>
      <ol class="lane-events">
        {events.slice(0, MOST).map(({ check, run }) => (
          <li>
            <RunLine page={page} check={check.uuid} run={run} tz={tz} />
            <span>
              <a class="name" href={addressOf(check.uuid)}>
                {check.name}
              </a>
              {page.project ? null : <span class="muted"> {projectLabel(check.project)}</span>}
            </span>
          </li>
        ))}
      </ol>
      {events.length > MOST ? <p class="muted">There are more. Choose a shorter time to see them.</p> : null}
    </>
  )
}
