/** The policies in rows. */
import { type SqlBool, sql } from 'kysely'
import type { Policy, PolicyRules, PolicyStep } from '../../../core/incidents/policy.js'
import { RecentMap } from '../../../lib/recent-map.js'

export interface PolicyColumns {
  steps: string
  repeat_every: number | null
  repeat_times: number | null
}

/** A condition: policy `pol` applies to check `d` of project `p`. A check that names none has the default of its project. */
export const policyApplies = sql<SqlBool>`pol.id = coalesce(d.policy_id, p.policy_id)`

/** The steps by their texts, which may name a thousand channels: each of many incidents comes with the text of its policy. */
const STEPS = new RecentMap<string, readonly PolicyStep[]>(16)

function stepsIn(text: string): readonly PolicyStep[] {
  const known = STEPS.get(text)
  if (known) return known
  const steps = JSON.parse(text) as PolicyStep[]
  STEPS.set(text, steps)
  return steps
}

/** The rules in a row of `policies`. */
export function toRules(row: PolicyColumns): PolicyRules {
  const { repeat_every: every, repeat_times: times } = row
  return {
    steps: stepsIn(row.steps),
    repeat: every === null || times === null ? null : { every, times },
  }
}

/** The rules that a joined row of `policies` has; null without one. */
export function rulesOf(row: { [N in keyof PolicyColumns]: PolicyColumns[N] | null }): PolicyRules | null {
  return row.steps === null ? null : toRules({ ...row, steps: row.steps })
}

export function toPolicy(row: PolicyColumns & { id: number; name: string }): Policy {
  return { id: row.id, name: row.name, ...toRules(row) }
}

/** The columns that hold rules. */
export function ruleColumns({ steps, repeat }: PolicyRules) {
  return {
    steps: JSON.stringify(steps),
    repeat_every: repeat?.every ?? null,
    repeat_times: repeat?.times ?? null,
  }
}
