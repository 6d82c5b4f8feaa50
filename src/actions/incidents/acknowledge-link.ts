/** The link in a message by which anyone who reads it acknowledges the incident that it is about. */

import { Refusal } from '../../core/errors.js'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import { integrationOf } from '../../integrations/index.js'
import type { Clock } from '../../lib/clock.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { StoreWith } from '../../storage/store.js'
import { acknowledgeIncidents } from './acknowledge-incidents.js'

const PURPOSE = 'acknowledge'

/** A link as it arrives: the channel whose message it was in, the incident, and the signature. */
export interface AcknowledgeLink {
  channelUuid: string
  incidentId: number
  signature: string
}

interface Deps {
  store: StoreWith<'channels.find' | 'incidents.find' | 'incidents.acknowledge'>
  clock: Clock
  secretKeys: SecretKeys
}

/** The path of the link in messages of a channel about an incident. */
export function acknowledgePath(secretKey: string, channelUuid: string, incidentId: number): string {
  const signature = signatureOf(secretKey, PURPOSE, `${channelUuid}:${incidentId}`)
  return `/integrations/${channelUuid}/incidents/${incidentId}/${signature}/`
}

/**
 * The incident of a link, its project, and the words for whoever uses the link; null if the signature is wrong, or the
 * channel or the incident was deleted.
 */
export async function findByLink(
  { store, clock, secretKeys }: Deps,
  { channelUuid, incidentId, signature }: AcknowledgeLink,
): Promise<{ incident: ListedIncident; projectId: number; by: string } | null> {
  if (!isSignature(secretKeys, PURPOSE, `${channelUuid}:${incidentId}`, signature)) return null
  const channel = await store.channels.find(channelUuid)
  if (!channel) return null
  try {
    const incident = await store.incidents.find(channel.projectId, incidentId, clock.now())
    const name = channel.name || integrationOf(channel.kind)?.label || channel.kind
    return { incident, projectId: channel.projectId, by: `a link in “${name}”` }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Acknowledges the incident of a link for as long as it is open. Returns it as it is then, or null as `findByLink`. */
export async function acknowledgeByLink(deps: Deps, link: AcknowledgeLink): Promise<ListedIncident | null> {
  const found = await findByLink(deps, link)
  if (!found) return null
  const { incident, projectId, by } = found
  // Somebody else may have acknowledged it with a note and an end, which stay.
  if (incident.closedAt !== null || incident.acknowledged !== null) return incident
  try {
    await acknowledgeIncidents(deps, projectId, { ids: [incident.id], by, note: '', until: null })
  } catch (error) {
    // It has just closed.
    if (!(error instanceof Refusal) || error.code !== 'conflict') throw error
  }
  return await deps.store.incidents.find(projectId, incident.id, deps.clock.now())
}
