import { isAcknowledged } from '../../core/incidents/listed-incident.js'
import type { HoldableCheck } from '../alerts/holds/held.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { dependencyHolds } from '../incidents/dependencies/dependency-holds.js'
import { silenceHolds } from '../silences/silence-holds.js'

/** The ID of no channel: only silences of all channels hold it. */
const NO_CHANNEL = 0

/** Which of these checks, which are down, a person has acknowledged, or whose alerts are held for all channels. */
export async function quietChecks(
  db: Db,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<ReadonlySet<number>> {
  const quiet = new Set<number>()
  const silences = silenceHolds(db, now)
  for (const some of chunks(checks, db.dialect.maxParameters - 10)) {
    const ids = some.map(({ checkId }) => checkId)
    const incidents = await db.sql
      .selectFrom('incidents')
      .select(['check_id', 'ack_at as at', 'ack_until as until'])
      .where('check_id', 'in', ids)
      .where('closed_at', 'is', null)
      .execute()
    for (const { check_id, ...ack } of incidents) if (isAcknowledged(ack, now)) quiet.add(check_id)
    const held = [...(await silences(NO_CHANNEL, some)), ...(await dependencyHolds(db, some, now))]
    for (const { checkId, holds } of held) if (holds.length > 0) quiet.add(checkId)
  }
  return quiet
}
