import type { BrokenLimit } from '../../../core/alerts/alert.js'
import type { Check } from '../../../core/checks/check.js'
import type { Flip } from '../../../core/checks/flip.js'
import { arePlain } from '../../../core/checks/health/rules.js'
import type { Db } from '../../db.js'

/** The limit of its own that a check broke when it went down; null if it has none, or if that is not known. */
export async function brokenLimit(
  db: Db,
  check: Check & { id: number },
  { createdAt, reason }: Pick<Flip, 'createdAt' | 'reason'>,
  lastDurationMs: number | null,
): Promise<BrokenLimit | null> {
  if (arePlain(check)) return null
  if (reason === 'too_short') return await tooShort(db, check, createdAt, lastDurationMs)
  if (reason !== 'overrun' && reason !== 'missed') return null
  if (reason === 'missed' && check.startWithinSeconds === null) return null
  const row = await db.sql
    .selectFrom('passed_deadlines')
    .select('since_at as since')
    .where('check_id', '=', check.id)
    .where('passed_at', '=', createdAt)
    .where('cause', '=', reason)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const startedAt = reason === 'overrun' ? row.since : null
  return { limitMs: createdAt - row.since, startedAt, tookMs: null }
}

async function tooShort(
  db: Db,
  check: Check & { id: number },
  at: number,
  lastDurationMs: number | null,
): Promise<BrokenLimit | null> {
  const row = await db.sql
    .selectFrom('pings')
    .select(['duration', 'cause'])
    .where('check_id', '=', check.id)
    .where('created_at', '<=', at)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row?.cause !== 'too_short' || check.minDurationSeconds === null) return null
  const limitMs = check.minDurationSeconds * 1000
  return { limitMs, startedAt: null, tookMs: row.duration ?? lastDurationMs }
}
