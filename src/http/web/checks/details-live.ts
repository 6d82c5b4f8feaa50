import { CheckChannels } from '../../../views/components/channels/check-channels.js'
import { CheckFacts, CheckSchedule } from '../../../views/components/checks/check-about.js'
import { Days, Durations } from '../../../views/components/checks/check-charts.js'
import { CheckFigures } from '../../../views/components/checks/check-figures.js'
import { CheckHead } from '../../../views/components/checks/check-state.js'
import { Findings } from '../../../views/components/findings.js'
import { RunList } from '../../../views/components/pings/run-list.js'
import { RunsHelp } from '../../../views/components/pings/run-section.js'
import { inZone } from '../../../views/components/pings/zones.js'
import { checkOf } from '../access.js'
import type { WebContext } from '../context.js'
import { stream, versionOf } from '../live/live.js'
import { pageContext } from '../page-context.js'
import { detailsData } from './details-data.js'

/**
 * GET: changes on the page of a check: state, figures, charts, settings and runs. The address has the page’s query, so
 * an older page of runs does not change.
 */
export async function streamDetails(c: WebContext): Promise<Response> {
  const found = await checkOf(c, c.req.param('uuid')!, 'read')
  const { project, check } = found
  const page = await pageContext(c, project)
  const { store, clock } = c.var.deps
  let sent: Record<string, string> = {}
  let seen = versionOf(await store.checks.eventFingerprint(project.id, check.uuid, page.now))

  const look = async () => {
    const now = clock.now()
    const stamp = await store.checks.eventFingerprint(project.id, check.uuid, now)
    const version = versionOf(stamp)
    if (version === seen || stamp === null) return null
    seen = version
    const data = await detailsData(c, found, { ...page, now })
    const { down: problems } = await store.checks.stateCounts(project.id, now)
    const elements: Record<string, string> = {
      state: String(CheckHead(data)),
      findings: String(Findings(data)),
      figures: String(CheckFigures(data)),
      days: String(Days(data)),
      durations: String(Durations(data)),
      schedule: String(CheckSchedule(data)),
      integrations: String(CheckChannels(data)),
      about: String(CheckFacts(data)),
      'runs-help': String(RunsHelp(data)),
      'run-list': String(RunList({ ...data, page: inZone(data) })),
    }
    const fresh = Object.entries(elements).filter(([id, html]) => sent[id] !== html)
    sent = elements
    return { version, problems, elements: Object.fromEntries(fresh) }
  }
  return stream(c, seen, { look, mayRead: () => checkOf(c, check.uuid, 'read') })
}
