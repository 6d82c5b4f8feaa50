import type { CheckAccess } from '../../../storage/people/access.js'
import type { Store } from '../../../storage/store.js'
import { checkOf } from '../access.js'
import type { WebContext } from '../context.js'

/** The check that a POST changes, the store, and the current instant. Throws a `Refusal` as {@link checkOf} does. */
export async function loadCheckForChange(
  c: WebContext,
): Promise<CheckAccess & { store: Store; now: number; home: string }> {
  const found = await checkOf(c, c.req.param('uuid')!, 'write')
  const { store, clock } = c.var.deps
  return {
    ...found,
    store,
    now: clock.now(),
    home: `/checks/${found.check.uuid}/details/`,
  }
}
