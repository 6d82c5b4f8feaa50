import type { CheckDeps } from '../../../actions/checks/tell-of-check.js'
import type { CheckAccess } from '../../../storage/people/access.js'
import { checkOf } from '../access.js'
import type { WebContext } from '../context.js'

/** The check that a POST wants to change, what actions need, and the instant. `Refusal` as {@link checkOf}. */
export async function loadCheckForChange(
  c: WebContext,
): Promise<CheckAccess & { deps: CheckDeps; now: number; home: string }> {
  const found = await checkOf(c, c.req.param('uuid')!, 'write')
  const { store, changes, clock } = c.var.deps
  return {
    ...found,
    deps: { store, changes },
    now: clock.now(),
    home: `/checks/${found.check.uuid}/details/`,
  }
}
