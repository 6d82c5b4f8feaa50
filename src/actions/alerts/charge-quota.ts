/** Quotas of messages that cost money. Source: docs/behaviour.md, section 11. */

import { type Quota, quotaError } from '../../core/alerts/delivery/quota.js'
import type { Integration } from '../../integrations/integration.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

export interface QuotaDeps {
  /** The maximum number of messages an account may send from each quota in a calendar month. */
  quotas: Readonly<Record<Quota['name'], number>>
}

export interface ChargeDeps extends QuotaDeps {
  store: StoreWith<'people.takeQuota' | 'people.giveBackQuota'>
  clock: Clock
}

/** The quota that messages of a kind count against; null if there is none. */
export function quotaOf({ quota }: Pick<Integration, 'quota'>, { quotas }: QuotaDeps): Quota | null {
  return quota ? { ...quota, limit: quotas[quota.name] } : null
}

/**
 * Counts a test message against its kind's quota; the claim counts the others, see storage/alerts/charge-messages.ts. Returns an empty
 * text if it may be sent, else the error; kinds without a quota are not limited.
 */
export async function chargeQuota(
  deps: ChargeDeps,
  integration: Integration,
  projectId: number,
): Promise<string> {
  const quota = quotaOf(integration, deps)
  if (quota === null) return ''
  return (await deps.store.people.takeQuota(projectId, quota, deps.clock.now())) ? '' : quotaError(quota)
}

/** Gives back what {@link chargeQuota} counted at an instant (ms) for a message that has not arrived. */
export async function giveBackQuota(
  deps: ChargeDeps,
  { quota }: Integration,
  projectId: number,
  takenAt: number,
): Promise<void> {
  if (quota) await deps.store.people.giveBackQuota(projectId, quota, takenAt)
}
