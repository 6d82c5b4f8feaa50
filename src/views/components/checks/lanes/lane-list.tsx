import type { PropsWithChildren } from 'hono/jsx'
import type { DrawnLane } from '../../../../core/checks/lanes/drawn-lane.js'
import type { Outage } from '../../../../core/instance/outage.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { Span } from '../../../../core/time/spans.js'
import type { PageContext } from '../../../page-context.js'
import { StatusGlyph } from '../status-glyph.js'
import { LaneAxis } from './lane-axis.js'
import { LaneBars } from './lane-bars.js'

interface Props {
  page: PageContext
  lanes: readonly DrawnLane[]
  range: Span
  outages: readonly Outage[]
  tz: string
  /** The check whose runs are listed beside the lanes. */
  chosen: string
  /** The address of the timeline with the runs of a check. */
  addressOf: (check: string) => string
}

/** One lane for each check; above them the axis, and what is in `children`, over the same time. */
export function LaneList({
  page,
  lanes,
  range,
  outages,
  tz,
  chosen,
  addressOf,
  children,
}: PropsWithChildren<Props>) {
  return (
    <div class="lanes">
      <div class="lane lane-head">
        <span />
        <div>
          {children}
          <LaneAxis range={range} tz={tz} />
        </div>
      </div>
      <ol>
        {lanes.map(lane => {
          const { check } = lane
          const isChosen = check.uuid === chosen
          return (
            <li class={isChosen ? 'lane is-chosen' : 'lane'}>
              <span class="lane-check">
                <StatusGlyph status={check.status} />
                <a
                  class="name"
                  href={addressOf(check.uuid)}
                  aria-current={isChosen ? 'true' : undefined}
                  data-lane
                >
                  {check.name}
                </a>
                <span class={lane.isTroubled ? 'under' : 'under muted'}>
                  {lane.words}
                  {page.project ? '' : ` · ${projectLabel(check.project)}`}
                </span>
              </span>
              <LaneBars lane={lane} range={range} outages={outages} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
