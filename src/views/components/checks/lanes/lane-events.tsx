import type { LaneEvent } from '../../../../core/checks/lanes/lane-page.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { PageContext } from '../../../page-context.js'
import { RunLine } from './lane-runs.js'

interface Props {
  page: PageContext
  events: readonly LaneEvent[]
  hasMoreEvents: boolean
  tz: string
  /** Whether anything can be known of this time. */
  isKnown: boolean
  /** The address of the timeline with the runs of a check. */
  addressOf: (check: string) => string
}

/** What went wrong as text, in the order of time. */
export function LaneEvents({ page, events, hasMoreEvents, tz, isKnown, addressOf }: Props) {
  if (events.length === 0 && !isKnown) return null
  if (events.length === 0) return <p class="muted">Nothing went wrong in this time.</p>
  return (
    <>
      <ol class="lane-events">
        {events.map(({ check, run }) => (
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
      {hasMoreEvents ? <p class="muted">There are more. Choose a shorter time to see them.</p> : null}
    </>
  )
}
