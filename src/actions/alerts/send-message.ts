/** Composes a claimed message and hands it to its integration. */
import type { Notice } from '../../core/alerts/alert.js'
import { digestWords } from '../../core/alerts/digest.js'
import { flappingNotice } from '../../core/alerts/flapping-notice.js'
import { limitNotice } from '../../core/alerts/limit-notice.js'
import type { Destination, Integration, Sent } from '../../integrations/integration.js'
import type { Transports } from '../../integrations/transports.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import type { FlipRef } from '../../storage/alerts/digest-facts.js'
import type { ClaimedMessage, ClaimedPart } from '../../storage/alerts/messages.js'
import type { StoreWith } from '../../storage/store.js'
import { type DestinationDeps, resolveDestination } from '../channels/resolve-destination.js'
import type { LinkedChannel } from '../incidents/message-link.js'
import { type ComposeDeps, composeAlert, composeClosing } from './compose-alert.js'

export interface SendDeps extends ComposeDeps, DestinationDeps {
  store: ComposeDeps['store'] &
    DestinationDeps['store'] &
    StoreWith<'alerts.digestFacts' | 'channels.isInTrouble'>
  /** The page on which readers of a channel's messages acknowledge an incident, and the token for buttons. */
  answerTo(
    channel: LinkedChannel,
    incident: { id: number; openedAt: number },
  ): { acknowledgeUrl: string; acknowledgeToken: string }
  /** The same page for the incidents of a message that is known by this notification. */
  answerToMessageUrl(channel: LinkedChannel, notificationUuid: string): string
  /** Makes the transports. Exchanges end when `signal` aborts; `begins` is called just before something is sent. */
  transports(signal: AbortSignal, begins?: () => void): Transports
}

/**
 * Sends a message. Returns null if there is nothing left to say, or if the kind does not send such messages. Throws
 * `DeliveryError` if the message could not be delivered.
 */
export async function sendMessage(
  deps: SendDeps,
  message: ClaimedMessage,
  integration: Integration,
  signal: AbortSignal,
  begins: () => void,
): Promise<Sent | null> {
  const { channel, form, parts } = message
  const part = parts[0]!
  const attempt = { idempotencyKey: keyOf(parts), notificationUuid: part.notificationUuid }
  const to = {
    ...(await resolveDestination(deps, channel, attempt, integration)),
    ...threadOf(channel, part),
  }
  const transports = deps.transports(signal, begins)
  if (form === 'notice')
    return await notify(deps, integration, await noticeOf(deps, channel, part, to), to, transports)
  if (form === 'digest')
    return await notify(deps, integration, await digestOfParts(deps, message, to), to, transports)
  const alert = part.closing
    ? composeClosing(deps, part.closing)
    : await composeAlert(deps, part, {
        projectId: channel.projectId,
        flapped: form === 'steady',
        answer: answerOf(deps, channel, part),
        explained: form !== 'flapping' && (integration.explains?.(channel.settings) ?? true),
        containsJson: integration.containsJson?.(channel.settings) ?? false,
      })
  if (!alert) return null
  if (form === 'flapping') {
    return await notify(deps, integration, flappingNotice(alert, part.history), to, transports)
  }
  return (await integration.send(alert, to, transports)) ?? {}
}

/** Names the incident of a message to its channel, without revealing its number. */
function threadOf(channel: { uuid: string }, { incidentId }: ClaimedPart): Pick<Destination, 'thread'> {
  return incidentId === null ? {} : { thread: digestOf(`${channel.uuid} ${incidentId}`).slice(0, 32) }
}

function answerOf(deps: SendDeps, channel: LinkedChannel, part: ClaimedPart) {
  const { incidentId: id, incidentOpenedAt: openedAt } = part
  return id === null || openedAt === null ? null : deps.answerTo(channel, { id, openedAt })
}

async function notify(
  { clock, site }: SendDeps,
  integration: Integration,
  notice: Omit<Notice, 'now' | 'site'> | null,
  to: Destination,
  transports: Transports,
): Promise<Sent | null> {
  if (!notice || !integration.notify) return null
  return (await integration.notify({ ...notice, now: clock.now(), site }, to, transports)) ?? {}
}

/** What a notice says; null if that is not true any more. */
async function noticeOf(
  { store, clock, site }: SendDeps,
  channel: { uuid: string },
  { notice }: ClaimedPart,
  to: Destination,
): Promise<Omit<Notice, 'now' | 'site'> | null> {
  if (!notice) return null
  if (notice.type === 'limit') {
    const now = clock.now()
    return notice.until <= now ? null : limitNotice(site, channel, notice, now, to.timeZone ?? 'UTC')
  }
  const { about, ...words } = notice
  return !about || (await store.channels.isInTrouble(about, clock.now())) ? words : null
}

/** One message about many checks; null if all of them were deleted or moved. */
async function digestOfParts(
  { store, clock, site, answerToMessageUrl }: SendDeps,
  { channel, parts }: ClaimedMessage,
  to: Destination,
): Promise<Omit<Notice, 'now' | 'site'> | null> {
  const facts = await store.alerts.digestFacts(channel.projectId, flipsOf(parts))
  if (facts.project === null) return null
  const missed = new Set(parts.flatMap(({ flipId, due }) => (due?.missedDown ? [flipId] : [])))
  const lines = facts.lines.map(line => ({ ...line, missedDown: missed.has(line.flipId) }))
  return {
    type: 'notice',
    ...digestWords(lines, facts.project.name, clock.now(), { tz: to.timeZone, root: site.root }),
    url: `${site.root}/projects/${facts.project.uuid}/checks/`,
    status: lines.some(({ status }) => status === 'down') ? 'down' : 'up',
    ...(lines.some(({ status, statusNow }) => status === 'down' && statusNow === 'down') && {
      acknowledgeUrl: answerToMessageUrl(channel, parts[0]!.notificationUuid),
    }),
  }
}

/** The status changes that a message is about. */
export function flipsOf(parts: readonly ClaimedPart[]): FlipRef[] {
  return parts.flatMap(({ flipId, checkId }) =>
    flipId === null || checkId === null ? [] : [{ id: flipId, checkId }],
  )
}

/**
 * The idempotency key: the same for the same deliveries, so that a receiver can drop a repeat after a crash. It
 * changes when a delivery is added, because the receiver would otherwise drop that delivery too.
 */
function keyOf(parts: readonly ClaimedPart[]): string {
  const keys = parts.map(({ uuid }) => uuid)
  if (keys.length === 1) return keys[0]!
  const digest = digestOf(keys.sort().join(' '))
  const part = (from: number, to: number) => digest.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
}
