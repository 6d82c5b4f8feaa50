import { ChecksPageView } from '../../../../views/pages/checks/checks.js'
import type { WebContext } from '../../context.js'
import { pageContext } from '../../page-context.js'
import { logos } from '../shown-channels.js'
import { listData } from './list-data.js'
import { scopeOf } from './list-scope.js'

/** GET: the checks of a project, or of all projects of the reader. */
export async function listChecks(c: WebContext): Promise<Response> {
  const scope = await scopeOf(c)
  const { single } = scope
  const { config, store, clock } = c.var.deps
  const [{ sections, ...data }, hasDependencies] = await Promise.all([
    listData(c, scope, pageContext(c, single), clock.now()),
    single === null ? false : store.incidents.hasDependencies(single.id),
  ])
  const mayPing = single?.pingKey != null && single.role !== 'readonly'
  const firstPing = mayPing ? `${config.PING_ENDPOINT}${single.pingKey}/my-job?create=1` : null
  const props = { ...data, ...scope, sections, logos, firstPing, hasDependencies }
  return await c.html(ChecksPageView(props))
}
