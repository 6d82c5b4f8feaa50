import { Refusal } from '../../core/errors.js'
import type { SilenceMode, SilenceSettings, SilenceTimes } from '../../core/silences/silence.js'
import { silenceProblem } from '../../core/silences/silence-problem.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/** What a silence is to be; checks and channels by their UUIDs. */
export interface AskedSilence {
  mode: SilenceMode
  scope: { checks: readonly string[] } | { tags: readonly string[] } | { project: true }
  channels: readonly string[] | null
  times: SilenceTimes
  reason: string
}

/**
 * The settings with the IDs of its checks and channels. Throws `Refusal('invalid')` with the wrong field, also if
 * one of them is not in the project.
 */
export async function resolveSilence(
  db: Db,
  projectId: number,
  asked: AskedSilence,
  now: number,
): Promise<SilenceSettings> {
  const wrong = silenceProblem(asked, now)
  if (wrong !== null) throw new Refusal('invalid', wrong.problem, wrong.field)
  const { scope, channels } = asked
  return {
    ...asked,
    scope: 'checks' in scope ? { checks: await idsOf(db, projectId, 'checks', scope.checks) } : scope,
    channels: channels === null ? null : await idsOf(db, projectId, 'channels', channels),
  }
}

async function idsOf(
  db: Db,
  projectId: number,
  table: 'checks' | 'channels',
  uuids: readonly string[],
): Promise<number[]> {
  const asked = [...new Set(uuids)]
  const ids: number[] = []
  for (const some of chunks(asked, db.dialect.maxParameters - 1)) {
    const query = db.sql
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', projectId)
      .where('uuid', 'in', some)
    const rows = await (table === 'channels' ? query.where('kind', '<>', 'group') : query).execute()
    ids.push(...rows.map(({ id }) => id))
  }
  if (ids.length === asked.length) return ids
  const problem =
    table === 'checks'
      ? 'One of the checks is not in this project.'
      : 'One of the channels is not in this project, or is a group: name its members.'
  throw new Refusal('invalid', problem, table)
}
