/** What the findings about a check go by: a limited number of rows, however much is known of it. */
import { type Finding, type FindingFacts, findingsOf } from '../../core/checks/findings/index.js'
import { factsOf, openRuns } from '../../core/checks/health/runs.js'
import { isPlainPolicy } from '../../core/incidents/escalation.js'
import type { Db } from '../db.js'
import { policyOfCheck } from '../incidents/choose-policy.js'
import { read } from '../method.js'
import { type CheckRef, findCheck } from './find-check.js'
import { channelFacts } from './findings/channel-facts.js'
import { lastRuns } from './findings/last-runs.js'
import { likelyZones } from './findings/likely-zones.js'

/** The facts of a check for its findings; of one that was never pinged its channels are all. `Refusal` as {@link findCheck}. */
export const findingFacts = read(
  async (db: Db, projectId: number, ref: CheckRef, now: number): Promise<FindingFacts> => {
    const check = await findCheck(db, projectId, ref)
    const isPinged = check.nPings > 0
    const policy = await policyOfCheck(db, check.id)
    const [channels, runs, zones] = await Promise.all([
      channelFacts(db, check, policy),
      isPinged ? lastRuns(db, check) : [],
      // A period has no zone.
      isPinged && check.kind !== 'simple' ? likelyZones(db, check) : [],
    ])
    const shown = policy && !isPlainPolicy(policy) ? policy.name : null
    return {
      check,
      runs,
      openRuns: openRuns(factsOf(check), check).length,
      channels,
      policy: shown,
      zones,
      now,
    }
  },
)

/** The findings about a check, made where their facts are read, because these are many more. `Refusal` as {@link findCheck}. */
export const findings = read(
  async (db: Db, projectId: number, ref: CheckRef, now: number): Promise<Finding[]> =>
    findingsOf(await findingFacts(db, projectId, ref, now)),
)
