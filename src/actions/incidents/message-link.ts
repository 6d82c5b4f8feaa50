/** The signed link in a message, with which anyone who reads it acknowledges or silences what the message is about. */
import { Refusal } from '../../core/errors.js'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import { integrationOf } from '../../integrations/index.js'
import type { Clock } from '../../lib/clock.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { Channel, LoadedChannel } from '../../storage/channels/channels.js'
import type { StoreWith } from '../../storage/store.js'

const PURPOSE = 'acknowledge'

/** An incident as a link names it. Its opening is signed too, because SQLite may use the ID of a deleted row again. */
export interface SignedIncident {
  id: number
  openedAt: number
}

/** The channel whose message a link is in. The version is signed too: what ends the channel's links changes it. */
export interface LinkedChannel {
  uuid: string
  linkVersion: number
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
  channel: LoadedChannel
  /** The incident, open or not, or those of the message that are open and of whose checks the channel is still sent alerts. */
  incidents: ListedIncident[]
}

export interface LinkDeps {
  store: StoreWith<
    'channels.find' | 'incidents.find' | 'incidents.openOfMessage' | 'incidents.alertedThrough'
  >
  clock: Clock
  secretKeys: SecretKeys
}

/** The path of the link in messages of a channel about an incident. */
export function incidentPath(secretKey: string, channel: LinkedChannel, incident: SignedIncident): string {
  const signature = signatureOf(secretKey, PURPOSE, incidentValue(channel, incident))
  return `/integrations/${channel.uuid}/incidents/${incident.id}/${signature}/`
}

/** The path of the link in a message of a channel about several checks, by the notification of one of them. */
export function messagePath(secretKey: string, channel: LinkedChannel, notificationUuid: string): string {
  const signature = signatureOf(secretKey, PURPOSE, messageValue(channel, notificationUuid))
  return `/integrations/${channel.uuid}/messages/${notificationUuid}/${signature}/`
}

/** The same as {@link incidentPath} for buttons of chats: at most 60 characters. */
export function incidentToken(secretKey: string, channel: LinkedChannel, incident: SignedIncident): string {
  const signature = signatureOf(secretKey, PURPOSE, incidentValue(channel, incident))
  const uuid = Buffer.from(channel.uuid.replaceAll('-', ''), 'hex').toString('base64url')
  return ['a', uuid, incident.id.toString(36), signature].join(':')
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
 * What a link leads to. Null if the signature is wrong, if the channel's links have ended since, if the channel or the
 * incident was deleted, if they belong to different projects, or if what is open no longer alerts through the channel.
 */
export async function findByLink(deps: LinkDeps, link: MessageLink): Promise<LinkTarget | null> {
  const channel = await deps.store.channels.find(link.channelUuid)
  const signed = channel && (await findSigned(deps, channel, link))
  if (!channel || !signed) return null
  const open = signed.filter(({ closedAt }) => closedAt === null)
  if (open.length === 0) return { channel, incidents: signed }
  const ids = open.map(({ id }) => id)
  const alerted = new Set(await deps.store.incidents.alertedThrough(channel.id, ids))
  const incidents = open.filter(({ id }) => alerted.has(id))
  return incidents.length === 0 ? null : { channel, incidents }
}

/** The incidents that a link was made for, as far as they are in the channel's project; null if the signature is wrong. */
async function findSigned(
  { store, clock, secretKeys }: LinkDeps,
  channel: LoadedChannel,
  { about, signature }: MessageLink,
): Promise<ListedIncident[] | null> {
  const isGood = (value: string) => isSignature(secretKeys, PURPOSE, value, signature)
  const now = clock.now()
  if ('message' in about) {
    if (!isGood(messageValue(channel, about.message))) return null
    return await store.incidents.openOfMessage(channel.projectId, about.message, now)
  }
  const incident = await findIncident(store, channel.projectId, about.incident, now)
  return incident && isGood(incidentValue(channel, incident)) ? [incident] : null
}

function incidentValue({ uuid, linkVersion }: LinkedChannel, { id, openedAt }: SignedIncident): string {
  return `${uuid}:${linkVersion}:${id}:${openedAt}`
}

function messageValue({ uuid, linkVersion }: LinkedChannel, notificationUuid: string): string {
  return `${uuid}:${linkVersion}:message:${notificationUuid}`
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
