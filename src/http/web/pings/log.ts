import { parseCursor } from '../../../core/checks/history/timeline.js'
import type { CheckAccess } from '../../../storage/people/access.js'
import { Timeline } from '../../../views/components/pings/timeline.js'
import { inZone } from '../../../views/components/pings/zones.js'
import { type PageContext, zoneOf } from '../../../views/page-context.js'
import { LogPage, type LogProps } from '../../../views/pages/pings/log.js'
import { readDay, readKinds, readZone } from '../../../views/timeline-query.js'
import { checkOf } from '../access.js'
import { channelNamer, withNamedChannels } from '../checks/shown-channels.js'
import type { WebContext } from '../context.js'
import { checkVersion, streamCheck } from '../live/live-check.js'
import { pageContext } from '../page-context.js'

/** The number of events on a page. */
const EVENTS = 50

/** GET: the log of a check. */
export async function showLog(c: WebContext): Promise<Response> {
  const found = await checkOf(c, c.req.param('uuid')!, 'read')
  return await c.html(LogPage(await logData(c, found, await pageContext(c, found.project))))
}

/** GET: changes in the log. */
export function streamLog(c: WebContext): Promise<Response> {
  return streamCheck(c, async (found, page) => {
    const data = await logData(c, found, page)
    const { events } = data.timeline
    return { timeline: String(Timeline({ page: inZone(data), checkUuid: found.check.uuid, events })) }
  })
}

async function logData(c: WebContext, { project, check }: CheckAccess, page: PageContext): Promise<LogProps> {
  const { store } = c.var.deps
  const params = new URL(c.req.url).searchParams
  const kinds = readKinds(params)
  const [zone, day] = [readZone(params), readDay(params)]
  const tz = zone === 'check' ? null : zone === 'utc' ? 'UTC' : zoneOf(page)
  const newest = day === null ? null : { day, tz }
  const before = params.get('before') ?? ''
  const [stamp, timeline, named, silences, policy, around] = await Promise.all([
    store.checks.eventFingerprint(project.id, check.uuid, page.now),
    store.checks.timeline(project.id, check.uuid, {
      ...{ kinds, from: parseCursor(before), count: EVENTS, newest },
    }),
    channelNamer(c, project.id),
    store.silences.list(project.id, page.now),
    store.incidents.appliedPolicy(check.id),
    store.incidents.surroundings(check.id),
  ])
  return {
    page,
    version: checkVersion({ stamp, silences, policy, around }),
    check: timeline.check,
    timeline: { ...timeline, events: withNamedChannels(timeline.events, named) },
    shown: { kinds, day, before, zone },
  }
}
