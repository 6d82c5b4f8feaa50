/** Requests with an Idempotency-Key, and their answers. */
import type { Db } from '../db.js'
import { write } from '../method.js'

/** How long an answer is kept. */
const KEPT_MS = 86_400_000

/** A request that takes longer than this was interrupted, and may be sent again. */
const LONGEST_MS = 60_000

/** A request as it is stored: digests, so that nothing can be read from them. */
export interface ApiRequest {
  caller: string
  key: string
  request: string
  now: number
}

/**
 * Begins a request. `begun`: the caller now runs it and then calls `endApiRequest`. `done`: it was run before, with
 * this answer. `running`: it is being run. `other`: the key was used for another request.
 */
export const beginApiRequest = write(
  async (
    db: Db,
    { caller, key, request, now }: ApiRequest,
  ): Promise<{ is: 'begun' | 'running' | 'other' } | { is: 'done'; answer: string }> => {
    await db.sql
      .deleteFrom('api_requests')
      .where('created_at', '<=', now - KEPT_MS)
      .execute()
    const begun = await db.sql
      .insertInto('api_requests')
      .values({ caller, key, request, answer: null, created_at: now })
      .onConflict(oc =>
        oc
          .columns(['caller', 'key'])
          .doUpdateSet({ created_at: now })
          .where('api_requests.answer', 'is', null)
          .where('api_requests.request', '=', request)
          .where('api_requests.created_at', '<', now - LONGEST_MS),
      )
      .returning('key')
      .executeTakeFirst()
    if (begun) return { is: 'begun' }
    const row = await db.sql
      .selectFrom('api_requests')
      .select(['request', 'answer'])
      .where('caller', '=', caller)
      .where('key', '=', key)
      .executeTakeFirst()
    if (row && row.request !== request) return { is: 'other' }
    return row?.answer == null ? { is: 'running' } : { is: 'done', answer: row.answer }
  },
)

/** Ends a request that was begun: its answer is kept. Without one, it may be sent again. */
export const endApiRequest = write(
  async (
    db: Db,
    { caller, key }: Pick<ApiRequest, 'caller' | 'key'>,
    answer: string | null,
  ): Promise<void> => {
    const where = { caller, key }
    if (answer === null) {
      await db.sql
        .deleteFrom('api_requests')
        .where('caller', '=', where.caller)
        .where('key', '=', where.key)
        .where('answer', 'is', null)
        .execute()
    } else {
      await db.sql
        .updateTable('api_requests')
        .set({ answer })
        .where('caller', '=', where.caller)
        .where('key', '=', where.key)
        .execute()
    }
  },
)
