import { type FinishDeletionsDeps, finishDeletions } from '../actions/instance/finish-deletions.js'
import { type Failed, SetAside } from '../storage/set-aside.js'
import { Every } from './every.js'

const MINUTE_MS = 60_000

/** Goes on with interrupted deletions of projects and accounts: at the start, and once a minute with those of other processes. */
export function finishDeletionsJob(
  deps: Omit<FinishDeletionsDeps, 'aside'> & {
    /** Called when a project or an account cannot be deleted, for a row that cannot be written or read. */
    onSetAside(failed: Failed): void
    onError(error: unknown): void
  },
) {
  const { store, clock, onSetAside, onError } = deps
  const aside = { projects: new SetAside('project', onSetAside), users: new SetAside('user', onSetAside) }
  const every = new Every(MINUTE_MS, signal => finishDeletions({ store, clock, aside }, signal), onError)
  return {
    /** The number of projects and accounts that cannot be deleted. */
    setAside: () => aside.projects.ids.length + aside.users.ids.length,
    start() {
      every.start()
      every.now()
    },
    stop: () => every.stop(),
  }
}
