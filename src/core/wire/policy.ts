/** A policy in Punctual's own API. */
import type { Policy } from '../incidents/policy.js'

/** Read-only keys do not see the UUIDs of channels. */
export function policyShape(
  policy: Policy & { isDefault: boolean; checks: number },
  access: 'rw' | 'ro',
): Record<string, unknown> {
  const { id, name, isDefault, steps, repeat, checks } = policy
  return {
    id,
    name,
    default: isDefault,
    steps: access === 'rw' ? steps : steps.map(({ after }) => ({ after })),
    repeat,
    checks,
  }
}
