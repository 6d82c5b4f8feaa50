/** The result of an attempt to send a message, as it is stored. */
import type { AlertClass } from '../../../core/alerts/delivery/allowance.js'
import type { ReportedStatus } from '../../../core/alerts/delivery/reconcile.js'
import type { TeamMail } from '../../people/mails.js'
import type { CountedMessage } from '../../people/quotas/counted-messages.js'
import type { ChannelNotice } from '../channel-notices.js'
import type { WaitingChannel } from '../waiting/waiting-channel.js'

export interface SettledPart {
  deliveryUuid: string
  notificationUuid: string
  checkId: number | null
  /** When the check changed. */
  changedAt: number
  /** The status that counts as reported if it is sent; null for a notice. */
  reports: ReportedStatus | null
  /** When it is retried if it failed; null: never. */
  retryAt: number | null
  /** Whether it waits until the channel is enabled, if this attempt disables the channel; else it is deleted. */
  mayMatter: boolean
  /** Whether it ends a check for the channel although the check still exists. */
  endsLink: boolean
}

export interface Settlement {
  worker: string
  channelId: number
  /** The channel's settings with which the message was sent, and how often the channel had been enabled. */
  sentWith: Pick<WaitingChannel, 'settings' | 'enablings'>
  parts: readonly SettledPart[]
  /** Set if a monthly quota counted it. */
  counted?: CountedMessage
  startedAt: number
  durationMs: number
  now: number
  outcome:
    | {
        type: 'sent'
        alertClass: AlertClass
        /** `begun`: the channel was sent that the check is flapping; `over`: it was sent the status after flapping. */
        flapping: 'begun' | 'over' | null
      }
    /** There is nothing left to say, or the kind does not send such messages. */
    | { type: 'nothing' }
    | {
        type: 'failed'
        error: string
        /** Whether the receiver says that the recipient does not exist. */
        unknownRecipient?: boolean
        /** Whether the receiver itself answered, so that the next message may arrive. */
        answered?: boolean
        /** The e-mail to the project's people about it. */
        mail?: TeamMail
        /** The failure is permanent: the channel is disabled, and the project's other channels are sent this notice. */
        disabled?: ChannelNotice
        /** The notice to the project's other channels, once, if nothing has arrived for a day. */
        unreachable?: ChannelNotice
      }
  /** Settings that the integration found to have changed. */
  settings?: Readonly<Record<string, string>>
}

export type SentSettlement = Settlement & { outcome: { type: 'sent' } }

export type FailedSettlement = Settlement & { outcome: { type: 'failed' } }

/** Whether the channel was changed or enabled again since the message was claimed. */
export function isChanged(now: Settlement['sentWith'], before: Settlement['sentWith']): boolean {
  return (
    now.enablings !== before.enablings || JSON.stringify(now.settings) !== JSON.stringify(before.settings)
  )
}
