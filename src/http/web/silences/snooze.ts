import { Refusal } from '../../../core/errors.js'
import { clockWords } from '../../../core/time/instant.js'
import { tomorrowAt } from '../../../core/time/local-instant.js'
import type { StoreWith } from '../../../storage/store.js'
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
  const length = (await formOf(c)).text('for')
  const until = await snoozeChecks(store, { projectId: project.id, uuids: [check.uuid], length, user, now })
  setFlash(c, 'good', `Snoozed until ${clockWords(until, now, user.timezone)}.`)
  return back(c, home)
}

interface Asked {
  projectId: number
  uuids: readonly string[]
  /** A value of the buttons: seconds, or `tomorrow`. */
  length: string
  user: { email: string; timezone: string }
  now: number
}

/** Creates one silence of these checks that begins now. Returns when it ends (ms). */
export async function snoozeChecks(
  store: StoreWith<'silences.create'>,
  { projectId, uuids, length, user, now }: Asked,
): Promise<number> {
  const to = endOf(length, user.timezone, now)
  await store.silences.create(projectId, {
    mode: 'hold',
    scope: { checks: uuids },
    channels: null,
    times: { kind: 'once', from: now, to },
    reason: '',
    createdBy: user.email,
    now,
  })
  return to
}

const MORNING_HOUR = 9

function endOf(length: string, tz: string, now: number): number {
  if (length === 'tomorrow') return tomorrowAt(MORNING_HOUR, now, tz)
  if (!/^\d{1,7}$/.test(length)) throw new Refusal('invalid', 'say for how long')
  return now + Number(length) * 1000
}
