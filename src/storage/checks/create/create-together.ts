import type { EventActor } from '../../../core/events/actor.js'
import { Batches } from '../../../lib/batches.js'
import { fromWire, isUnavailable } from '../../errors.js'
import { eventActor, type Noun } from '../../events/acting.js'
import type { AskedCheck, UniqueValues, WrittenCheck } from '../change-checks.js'
import type { Creation } from '../create-checks.js'

type Asked = AskedCheck & { unique: UniqueValues | null }
type Authored = Asked & { actor: EventActor | null }
type RequireAccess = Noun['requireAccess']

interface Waiting {
  request: Authored
  requireAccess: RequireAccess
}

/** How an engine runs the methods `create` and `createEach`. */
export interface Ways {
  /** Rejects with what `requireAccess` rejects with. */
  create(projectId: number, request: Authored, requireAccess: RequireAccess): Promise<WrittenCheck>
  createEach(projectId: number, requests: readonly AskedCheck[]): Promise<Creation[]>
  /** The number of writes of one project at once. */
  underWay: number
}

/** The maximum number of checks that are created together. */
const AT_ONCE = 500

/**
 * Returns a function that creates a check as the store's `checks.create` does. Checks that are asked for at the same time, or
 * while as many writes of their project are under way as may be, are created together, but for those whose callers lost access in the meantime.
 */
export function checkCreator({ create, createEach, underWay }: Ways) {
  const createAll = async (projectId: number, asked: readonly Waiting[]): Promise<readonly Creation[]> => {
    const [{ request, requireAccess }] = asked as [Waiting]
    if (asked.length === 1) return [{ written: await create(projectId, request, requireAccess) }]
    return await createEach(
      projectId,
      asked.map(({ request }) => request),
    )
  }
  const batches = new Batches<number, Waiting, Creation | { error: unknown }>(
    async (projectId, asked) => {
      const errors = await Promise.all(asked.map(errorOfAccess))
      const allowed = asked.filter((_, place) => errors[place] === null)
      const made = allowed.length === 0 ? [] : await createAll(projectId, allowed)
      let place = 0
      return errors.map(error => (error === null ? made[place++]! : { error }))
    },
    // Where the database was lost, they may have been created.
    { atOnce: AT_ONCE, underWay, retries: error => !isUnavailable(error) },
  )
  return async function (this: Noun | undefined, projectId: number, asked: Asked): Promise<WrittenCheck> {
    const request = { ...asked, actor: eventActor(this) }
    const requireAccess = this?.requireAccess
    if (asked.unique) {
      await requireAccess?.()
      return await create(projectId, request, requireAccess)
    }
    const made = await batches.run(projectId, { request, requireAccess })
    if ('error' in made) throw made.error
    if ('refused' in made) throw fromWire(made.refused)
    return made.written
  }
}

async function errorOfAccess({ requireAccess }: Waiting): Promise<unknown> {
  if (!requireAccess) return null
  return await requireAccess().then(
    () => null,
    error => error,
  )
}
