/** The signed link in a message, with which anyone who reads it acknowledges or silences what the message is about. */
import { Refusal } from '../../core/errors.js'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import { integrationOf } from '../../integrations/index.js'
import type { Clock } from '../../lib/clock.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { Channel } from '../../storage/channels/channels.js'
import type { StoreWith } from '../../storage/store.js'

const PURPOSE = 'acknowledge'

/** An incident as a link names it. Its opening is signed too, because SQLite may use the ID of a deleted row again. */
export interface SignedIncident {
  id: number
  openedAt: number
}

/**
 * A link as it arrives: the channel whose message it was in; what that was about, an incident or, for a message about
 * several, the notification by which it is known; and the signature.
 */
export interface MessageLink {
  channelUuid: string
  about: { incident: number } | { message: string }
  signature: string
}

/** What a link leads to. */
export interface LinkTarget {
  channel: Channel & { projectId: number }
  /** The incident, open or not, or those of the message that are open. */
  incidents: ListedIncident[]
}

export interface LinkDeps {
  store: StoreWith<'channels.find' | 'incidents.find' | 'incidents.openOfMessage'>
  clock: Clock
  secretKeys: SecretKeys
}

/** The path of the link in messages of a channel about an incident. */
export function incidentPath(secretKey: string, channelUuid: string, incident: SignedIncident): string {
  const signature = signatureOf(secretKey, PURPOSE, incidentValue(channelUuid, incident))
  return `/integrations/${channelUuid}/incidents/${incident.id}/${signature}/`
}

/** The path of the link in a message of a channel about several checks, by the notification of one of them. */
export function messagePath(secretKey: string, channelUuid: string, notificationUuid: string): string {
  const signature = signatureOf(secretKey, PURPOSE, messageValue(channelUuid, notificationUuid))
  return `/integrations/${channelUuid}/messages/${notificationUuid}/${signature}/`
}

/** The same as {@link incidentPath} for buttons of chats: at most 60 characters. */
export function incidentToken(secretKey: string, channelUuid: string, incident: SignedIncident): string {
  const signature = signatureOf(secretKey, PURPOSE, incidentValue(channelUuid, incident))
  const channel = Buffer.from(channelUuid.replaceAll('-', ''), 'hex').toString('base64url')
  return ['a', channel, incident.id.toString(36), signature].join(':')
}

/** The link that a token of {@link incidentToken} stands for; null for any other text. */
export function linkOfToken(token: string): MessageLink | null {
  const [, channel, id, signature] = /^a:([\w-]{22}):([0-9a-z]{1,11}):([\w-]{22})$/.exec(token) ?? []
  if (!channel || !id || !signature) return null
  const hex = Buffer.from(channel, 'base64url').toString('hex')
  const channelUuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const incident = Number.parseInt(id, 36)
  return Number.isSafeInteger(incident) ? { channelUuid, about: { incident }, signature } : null
}

/** Who acts through a link, for the record. */
export function linkAuthor({ name, kind }: Pick<Channel, 'name' | 'kind'>): string {
  return `the link in a message to “${name || integrationOf(kind)?.label || kind}”`
}

/**
 * What a link leads to; null if the signature is wrong, if the channel or the incident was deleted, or if they belong to
 * different projects.
 */
export async function findByLink(
  { store, clock, secretKeys }: LinkDeps,
  { channelUuid, about, signature }: MessageLink,
): Promise<LinkTarget | null> {
  const channel = await store.channels.find(channelUuid)
  if (!channel) return null
  if ('message' in about) {
    const isGood = isSignature(secretKeys, PURPOSE, messageValue(channelUuid, about.message), signature)
    if (!isGood) return null
    const { projectId } = channel
    return {
      channel,
      incidents: await store.incidents.openOfMessage(projectId, about.message, clock.now()),
    }
  }
  const incident = await findIncident(store, channel.projectId, about.incident, clock.now())
  if (!incident || !isSignature(secretKeys, PURPOSE, incidentValue(channelUuid, incident), signature))
    return null
  return { channel, incidents: [incident] }
}

function incidentValue(channelUuid: string, { id, openedAt }: SignedIncident): string {
  return `${channelUuid}:${id}:${openedAt}`
}

function messageValue(channelUuid: string, notificationUuid: string): string {
  return `${channelUuid}:message:${notificationUuid}`
}

async function findIncident(
  store: LinkDeps['store'],
  projectId: number,
  id: number,
  now: number,
): Promise<ListedIncident | null> {
  try {
    return await store.incidents.find(projectId, id, now)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
