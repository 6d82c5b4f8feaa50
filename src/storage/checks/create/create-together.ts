import { Batches } from '../../lib/batches.js'
import {
  type AskedCheck,
  create,
  createAll,
  type UniqueValues,
  type WrittenCheck,
} from '../checks/change-checks.js'
import type { StoreSettings } from '../db.js'
import { isUnavailable } from '../errors.js'
import { eventActor } from '../events/acting.js'
import type { Connections } from './connections.js'
import { type AnyMethod, write } from './transaction.js'

type Asked = AskedCheck & { unique: UniqueValues | null }

/**
 * Returns a function that creates a check as the store's `checks.create` does. A creation locks its project's count
 * until it is on disk, so checks that a project asks for in the meantime are created together afterwards.
 */
export function checkCreator(connections: Connections, settings: StoreSettings) {
  const written = <R>(method: unknown, ...args: unknown[]) =>
    write(connections, settings, method as AnyMethod, args, { actor: eventActor() }) as Promise<R>
  const batches = new Batches<number, Asked, WrittenCheck>(
    (projectId, asked) => written<WrittenCheck[]>(createAll, projectId, asked),
    // Where the database was lost, they may have been created.
    { atOnce: 32, underWay: 1, retries: error => !isUnavailable(error) },
  )
  return (projectId: number, asked: Asked) =>
    asked.unique
      ? written<WrittenCheck>(create, projectId, asked)
      : batches.run(projectId, { ...asked, actor: eventActor() })
}
