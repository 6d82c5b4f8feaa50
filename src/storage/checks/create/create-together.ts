import type { EventActor } from '../../../core/events/actor.js'
import { Batches } from '../../../lib/batches.js'
import { fromWire, isUnavailable } from '../../errors.js'
import { eventActor, type Noun } from '../../events/acting.js'
import type { AskedCheck, UniqueValues, WrittenCheck } from '../change-checks.js'
import type { Creation } from '../create-checks.js'

type Asked = AskedCheck & { unique: UniqueValues | null }
type Authored = Asked & { actor: EventActor | null }

/** How an engine runs the methods `create` and `createEach`. */
export interface Ways {
  create(projectId: number, request: Authored): Promise<WrittenCheck>
  createEach(projectId: number, requests: readonly AskedCheck[]): Promise<Creation[]>
  /** The number of writes of one project at once. */
  underWay: number
}

/** The maximum number of checks that are created together. */
const AT_ONCE = 500

/**
 * Returns a function that creates a check as the store's `checks.create` does. Checks that are asked for at the same time, or
 * while as many writes of their project are under way as may be, are created together.
 */
export function checkCreator({ create, createEach, underWay }: Ways) {
  const batches = new Batches<number, Authored, Creation>(
    async (projectId, asked) =>
      asked.length === 1
        ? [{ written: await create(projectId, asked[0]!) }]
        : await createEach(projectId, asked),
    // Where the database was lost, they may have been created.
    { atOnce: AT_ONCE, underWay, retries: error => !isUnavailable(error) },
  )
  return async function (this: Noun | undefined, projectId: number, asked: Asked): Promise<WrittenCheck> {
    const request = { ...asked, actor: eventActor(this) }
    if (asked.unique) return await create(projectId, request)
    const made = await batches.run(projectId, request)
    if ('refused' in made) throw fromWire(made.refused)
    return made.written
  }
}
