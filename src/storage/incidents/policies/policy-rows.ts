/** The policies in rows. */
import type { Policy, PolicyRules, PolicyStep } from '../../../core/incidents/policy.js'

export interface PolicyColumns {
  steps: string
  repeat_every: number | null
  repeat_times: number | null
}

/** The rules in a row of `policies`. */
export function toRules(row: PolicyColumns): PolicyRules {
  const { repeat_every: every, repeat_times: times } = row
  return {
    steps: JSON.parse(row.steps) as PolicyStep[],
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
