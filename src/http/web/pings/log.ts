import { searchLog } from '../../../actions/pings/search-outputs.js'
import { parseCursor } from '../../../core/checks/history/timeline.js'
import { startOfDay } from '../../../core/time/calendar.js'
import type { CheckAccess } from '../../../storage/people/access.js'
import { Timeline } from '../../../views/components/pings/timeline.js'
import { inShownZone } from '../../../views/components/pings/zones.js'
import { type PageContext, zoneOf } from '../../../views/page-context.js'
import { LogPage, type LogProps } from '../../../views/pages/pings/log.js'
import { LogSearchPage, type LogSearchProps } from '../../../views/pages/pings/log-search.js'
import {
  pingKinds,
  readDay,
  readKinds,
  readText,
  readZone,
  type ShownTimeline,
} from '../../../views/timeline-query.js'
import { checkOf, lookAgain } from '../access.js'
import { channelNamer, withNamedChannels } from '../checks/shown-channels.js'
import type { WebContext } from '../context.js'
import { checkVersion, streamCheck } from '../live/live-check.js'
import { pageContext } from '../page-context.js'

/** The number of events on a page. */
const EVENTS = 50

/** GET: the log of a check; `?text=`: the pings whose outputs have this text. */
export async function showLog(c: WebContext): Promise<Response> {
  const found = await checkOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, found.project)
  const shown = readShown(c)
  if (shown.text !== '') return await c.html(LogSearchPage(await searchData(c, found, page, shown)))
  return await c.html(LogPage(await logData(c, found, page)))
}

/** GET: changes in the log. */
export function streamLog(c: WebContext): Promise<Response> {
  return streamCheck(c, async (found, page) => {
    const data = await logData(c, found, page)
    const { events } = data.timeline
    return { timeline: String(Timeline({ page: inShownZone(data), checkUuid: found.check.uuid, events })) }
  })
}

async function logData(c: WebContext, { project, check }: CheckAccess, page: PageContext): Promise<LogProps> {
  const { store } = c.var.deps
  const shown = readShown(c)
  const { kinds, day, before } = shown
  const newest = day === null ? null : { day, tz: zoneFor(shown, page) }
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
    shown,
  }
}

async function searchData(
  c: WebContext,
  { project, check: { uuid } }: CheckAccess,
  page: PageContext,
  shown: ShownTimeline,
): Promise<LogSearchProps> {
  const { store, bodies } = c.var.deps
  const { check } = await store.checks.facts(project.id, uuid, page.now)
  const { text, day } = shown
  const kinds = pingKinds(shown.kinds)
  const to = day === null ? undefined : startOfDay(day + 1, zoneFor(shown, page) ?? check.tz)
  const place = { before: parseCursor(shown.before).ping, limit: EVENTS }
  const deps = { store, bodies, requireAccess: lookAgain(c) }
  const search = await searchLog(deps, project.id, { uuid }, { text, kinds, to }, place)
  return { page, check, search, shown: { ...shown, kinds } }
}

function readShown(c: WebContext): ShownTimeline {
  const params = new URL(c.req.url).searchParams
  const [kinds, zone, day, text] = [readKinds(params), readZone(params), readDay(params), readText(params)]
  return { kinds, zone, day, text, before: params.get('before') ?? '' }
}

/** The zone in which days begin; null: that of the check. */
function zoneFor({ zone }: ShownTimeline, page: PageContext): string | null {
  return zone === 'check' ? null : zone === 'utc' ? 'UTC' : zoneOf(page)
}
