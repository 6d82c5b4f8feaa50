import { snoozeChecks, snoozeEnd } from '../../../actions/silences/snooze-checks.js'
import { clockWords } from '../../../core/time/instant.js'
import { back } from '../checks/back.js'
import { loadCheckForChange } from '../checks/load-check-for-change.js'
import type { WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'

/** POST: holds the alerts of a check for a time. */
export async function snooze(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const { user } = requireUser(c)
  const until = snoozeEnd((await formOf(c)).text('for'), user.timezone, now)
  await snoozeChecks(store, { projectId: project.id, uuids: [check.uuid], until, by: user.email, now })
  setFlash(c, 'good', `Snoozed until ${clockWords(until, now, user.timezone)}.`)
  return back(c, home)
}
