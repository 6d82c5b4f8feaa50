import type { PropsWithChildren } from 'hono/jsx'
import type { Lane } from '../../../../core/checks/lanes/lane.js'
import { laneWords } from '../../../../core/checks/lanes/lane-words.js'
import type { Outage } from '../../../../core/instance/outage.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { Span } from '../../../../core/time/spans.js'
import type { PageContext } from '../../../page-context.js'
import { StatusGlyph } from '../status-glyph.js'
import { LaneAxis } from './lane-axis.js'
import { LaneBars } from './lane-bars.js'

interface Props {
  page: PageContext
  lanes: readonly Lane[]
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
                <span class={lane.troubleAt === null ? 'under muted' : 'under'}>
                  {laneWords(lane)}
                  {page.project ? '' : ` · ${projectLabel(check.project)}`}
                </span>
              </span>
              <LaneBars lane={lane} range={range} now={page.now} outages={outages} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
