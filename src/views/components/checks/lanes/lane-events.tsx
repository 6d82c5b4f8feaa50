import { shownAt } from '../../../../core/checks/lanes/lane.js'
import type { LaneEvent } from '../../../../core/checks/lanes/lane-page.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { PageContext } from '../../../page-context.js'
import { byDay, DayHead } from '../../pings/by-day.js'
import { RunLine } from './lane-runs.js'

interface Props {
  page: PageContext
  events: readonly LaneEvent[]
  hasMoreEvents: boolean
  /** Whether anything can be known of this time. */
  isKnown: boolean
  /** The address of the timeline with the runs of a check. */
  addressOf: (check: string) => string
}

/** What went wrong as text, in the order of time. */
export function LaneEvents({ page, events, hasMoreEvents, isKnown, addressOf }: Props) {
  if (events.length === 0 && !isKnown) return null
  if (events.length === 0) return <p class="muted">Nothing went wrong in this time.</p>
  return (
    <>
      <ol class="lane-events">
        {byDay(page, events, ({ run }) => shownAt(run)).map(({ entry: { check, run }, day }) => (
          <>
            <DayHead page={page} day={day} />
            <li>
              <RunLine page={page} check={check.uuid} run={run} />
              <span>
                <a class="name" href={addressOf(check.uuid)}>
                  {check.name}
                </a>
                {page.project ? null : <span class="muted"> {projectLabel(check.project)}</span>}
              </span>
            </li>
          </>
        ))}
      </ol>
      {hasMoreEvents ? <p class="muted">There are more. Choose a shorter time to see them.</p> : null}
    </>
  )
}
