import { CheckRow, rowId } from '../../../views/components/checks/check-row.js'
import { Summary } from '../../../views/components/checks/summary.js'
import { PAGE_SIZE } from '../../../views/pages/checks/checks.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { ListOrder } from '../live/list-order.js'
import { type LiveChange, stream, versionOf } from '../live/live.js'
import { pageContext } from '../page-context.js'
import { listData, listVersion } from './list-data.js'
import { signedChannels } from './shown-channels.js'

/** GET: changes in the rows of a page of the list, and in the summary above it. */
export async function streamList(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, project)
  const { store, clock, config } = c.var.deps
  const pingEndpoint = config.PING_ENDPOINT
  const { list, query, ...seen } = await listData(c, project, page.now)
  const uuids = list.checks.map(check => check.uuid)
  let total = list.counts.all
  const order = new ListOrder(list)

  const look = async () => {
    const now = clock.now()
    const [fingerprints, counts, health, silences] = await Promise.all([
      store.checks.fingerprints(project.id, uuids, now),
      store.checks.stateCounts(project.id, now),
      store.projects.channelHealth(project.id),
      store.silences.listActive(project.id, now),
    ])
    const version = listVersion(fingerprints, counts, health, silences)
    if (version === seen.version) return null
    // A silence may concern any row.
    const areSilenced = versionOf(silences) !== versionOf(seen.silences)
    const changed = Object.keys(fingerprints).filter(
      uuid => areSilenced || fingerprints[uuid] !== seen.fingerprints[uuid],
    )
    // Every row shows which channels do not work.
    const anew = counts.all !== total || health.failing !== seen.health.failing
    Object.assign(seen, { fingerprints, health, silences, version })
    const change: LiveChange = {
      version,
      problems: counts.down,
      elements: { summary: String(Summary({ counts })) },
      anew,
    }
    total = counts.all
    const channels = signedChannels(await store.channels.list(project.id))
    const fresh = await store.checks.listByUuid(project.id, changed, now)
    if (order.mayDiffer(fresh, counts)) {
      const sorted = await store.checks.findUuids(project.id, query, now)
      const shown = sorted.slice((list.page - 1) * PAGE_SIZE, list.page * PAGE_SIZE)
      if (order.hasOthers(shown)) change.anew = true
      else change.order = shown.map(rowId)
    }
    for (const check of fresh) {
      change.elements[rowId(check.uuid)] = String(
        CheckRow({ page: { ...page, now }, check, channels, pingEndpoint, silences }),
      )
    }
    return change
  }
  return stream(c, seen.version, { look, mayRead: () => projectOf(c, project.uuid, 'read') })
}
