/** What a search of outputs reads, in parts: there may be any number of them, and each may be large. */
import type { TimelinePing } from '../../core/checks/history/timeline.js'
import { type Excerpt, finderOf } from '../../core/text/output/find-in-output.js'
import { type CheckRef, findCheck } from '../checks/find-check.js'
import type { ListedProject } from '../checks/list/list-items.js'
import { type SearchedCheck, searchedChecks } from '../checks/search-checks.js'
import type { Db } from '../db.js'
import { currentHold } from '../instance/outages.js'
import { read, readWithoutSnapshot } from '../method.js'
import { type LoggedOutput, lastOutputs } from './outputs/last-outputs.js'
import { type Output, outputBodies } from './outputs/output-bodies.js'
import { isInPage, type PingFilter, withDurations } from './ping-page.js'
import { selectPings, toTimelinePing } from './timeline-pings.js'

/** Some pings with the sizes of their outputs (0: none), newest first, and whether there are older ones. */
export interface ListedOutputs {
  outputs: LoggedOutput[]
  more: boolean
}

/** At most `limit` pings of a check with numbers below `before` (null: the newest). `Refusal` as {@link findCheck}. */
export const listOutputs = read(
  async (
    db: Db,
    projectId: number,
    ref: CheckRef,
    filter: PingFilter,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<ListedOutputs> => {
    const check = await findCheck(db, projectId, ref)
    const rows = await db.sql
      .selectFrom('pings')
      .select(['n', 'created_at as at', 'object_size as objectSize'])
      .select(eb => eb.fn.coalesce(eb.fn<number>('length', ['body']), eb.lit(0)).as('length'))
      .where('check_id', '=', check.id)
      .where(isInPage(db, check, filter, before))
      .orderBy('n', 'desc')
      .limit(limit + 1)
      .execute()
    const outputs = rows.slice(0, limit).map(({ n, at, objectSize, length }) => ({
      ...{ checkId: check.id, checkUuid: check.uuid, n, at },
      size: objectSize ?? Number(length),
      isObject: objectSize !== null,
    }))
    return { outputs, more: rows.length > limit }
  },
)

/** Where each of these outputs has the text; null if it does not, or is gone; `outside` if it is not in the database. */
export const findInOutputs = readWithoutSnapshot(
  async (db: Db, outputs: readonly Output[], text: string): Promise<(Excerpt | 'outside' | null)[]> => {
    const find = finderOf(text)
    const bodies = await outputBodies(db, outputs)
    return bodies.map((body, index) => {
      if (body) return find(new TextDecoder().decode(body))
      return outputs[index]!.isObject ? 'outside' : null
    })
  },
)

/** The stored pings of a check with these numbers, newest first. `Refusal` as {@link findCheck}. */
export const loggedPings = read(
  async (db: Db, projectId: number, ref: CheckRef, numbers: readonly number[]): Promise<TimelinePing[]> => {
    const check = await findCheck(db, projectId, ref)
    if (numbers.length === 0) return []
    const rows = await selectPings(db.sql, check.id)
      .where('n', 'in', [...numbers])
      .orderBy('n', 'desc')
      .execute()
    return await withDurations(db, check.id, rows.map(toTimelinePing))
  },
)

/** The last outputs of some checks, each with its check, and how many checks were asked for theirs, of how many. */
export interface LastOutputs {
  outputs: { check: SearchedCheck; output: LoggedOutput }[]
  asked: number
  checks: number
}

/** The last outputs of up to `most` checks of these projects; see `outputs/last-outputs.ts`. */
export const listLastOutputs = read(
  async (
    db: Db,
    projects: readonly ListedProject[],
    which: { tags: readonly string[]; most: number },
    now: number,
  ): Promise<LastOutputs> => {
    if (projects.length === 0) return { outputs: [], asked: 0, checks: 0 }
    const { outputs, ...counts } = await lastOutputs(db, projects, which, now)
    const ids = outputs.map(({ checkId }) => checkId)
    const checks = await searchedChecks(db, projects, ids, now, await currentHold(db, now))
    const byId = new Map(checks.map(check => [check.id, check]))
    return { outputs: outputs.map(output => ({ check: byId.get(output.checkId)!, output })), ...counts }
  },
)
