import { CheckChannels } from '../../../../views/components/channels/check-channels.js'
import { CheckFacts, CheckSchedule } from '../../../../views/components/checks/check-about.js'
import { CheckActions } from '../../../../views/components/checks/check-actions.js'
import { Days, Durations } from '../../../../views/components/checks/check-charts.js'
import { CheckFigures } from '../../../../views/components/checks/check-figures.js'
import { CheckIncidents } from '../../../../views/components/checks/check-incidents.js'
import { CheckHead } from '../../../../views/components/checks/check-state.js'
import { SetupProgress } from '../../../../views/components/checks/setup/setup.js'
import { SetupArrival } from '../../../../views/components/checks/setup/setup-arrival.js'
import { Findings } from '../../../../views/components/findings.js'
import { CheckDependencies } from '../../../../views/components/incidents/check-dependencies.js'
import { RunList } from '../../../../views/components/pings/run-list.js'
import { RunsHelp } from '../../../../views/components/pings/run-section.js'
import { inShownZone } from '../../../../views/components/pings/zones.js'
import type { WebContext } from '../../context.js'
import { streamCheck } from '../../live/live-check.js'
import { detailsData } from './details-data.js'

/** GET: changes on the page of a check: state, figures, charts, settings and runs. */
export function streamDetails(c: WebContext): Promise<Response> {
  return streamCheck(c, async (found, page) => {
    const data = await detailsData(c, found, page, page.now)
    const around = CheckDependencies(data)
    return {
      state: String(CheckHead(data)),
      actions: String(CheckActions(data) ?? ''),
      ...(data.setup && {
        'setup-progress': String(SetupProgress(data)),
        arrival: String(SetupArrival(data)),
      }),
      findings: String(Findings(data)),
      figures: String(CheckFigures(data)),
      'check-incidents': String(CheckIncidents(data)),
      days: String(Days(data)),
      durations: String(Durations(data)),
      schedule: String(CheckSchedule(data)),
      integrations: String(CheckChannels(data)),
      ...(around && { dependencies: String(around) }),
      about: String(CheckFacts(data)),
      'runs-help': String(RunsHelp(data)),
      'run-list': String(RunList({ ...data, page: inShownZone(data) })),
    }
  })
}
