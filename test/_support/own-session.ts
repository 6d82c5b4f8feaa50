import type { OwnSession } from '../../src/storage/people/lock-account.js'
import type { Store } from '../../src/storage/store.js'

/** A session of a user, as their requests identify it. */
export async function ownSession(
  store: Store,
  { id }: { id: number },
  clock: { now(): number },
): Promise<OwnSession> {
  const [session] = await store.people.listSessions(id, clock.now())
  return { userId: id, sessionId: session!.uuid }
}
