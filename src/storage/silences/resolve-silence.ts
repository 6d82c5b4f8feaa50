import { Refusal } from '../../core/errors.js'
import type { AskedSilence, AskedTimes } from '../../core/silences/asked-silence.js'
import type { SilenceScope, SilenceSettings, SilenceTimes } from '../../core/silences/silence.js'
import { silenceProblem } from '../../core/silences/silence-problem.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/** What was asked for, with the IDs of its checks and channels. Throws `Refusal('invalid')` with the field. */
export async function resolveSilence(
  db: Db,
  projectId: number,
  asked: Partial<AskedSilence>,
): Promise<Partial<Omit<SilenceSettings, 'times'>>> {
  const { mode, scope, channels, reason } = asked
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(scope === undefined ? {} : { scope: await resolveScope(db, projectId, scope) }),
    ...(channels === undefined
      ? {}
      : { channels: channels === null ? null : await idsOf(db, projectId, 'channels', channels) }),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** Throws `Refusal('invalid')` with the field if a silence cannot be like this at `now` (ms). */
export function refuseSilence(settings: SilenceSettings, now: number): void {
  const wrong = silenceProblem(settings, now)
  if (wrong !== null) throw new Refusal('invalid', wrong.problem, wrong.field)
}

/**
 * The times with their beginning: now at the earliest. One that has begun keeps its beginning, unless it recurred and becomes a single one, or is
 * to recur from later on.
 */
export function timesFrom(asked: AskedTimes, before: SilenceTimes | null, now: number): SilenceTimes {
  const begun = before !== null && before.from <= now
  const isOnce = asked.kind === 'once'
  const keeps = begun && isOnce === (before.kind === 'once') && (isOnce || (asked.from ?? now) <= now)
  if (keeps) return { ...asked, from: before.from }
  const from = asked.from ?? (begun ? now : (before?.from ?? now))
  return { ...asked, from: Math.max(from, now) }
}

async function resolveScope(db: Db, projectId: number, scope: AskedSilence['scope']): Promise<SilenceScope> {
  return 'checks' in scope ? { checks: await idsOf(db, projectId, 'checks', scope.checks) } : scope
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
