/** What delivering messages needs of the rest of the program. */
import type { Site } from '../../core/alerts/alert.js'
import type { DropReason } from '../../core/alerts/delivery/change.js'
import type { WireView } from '../../core/wire/version.js'
import type { Transports } from '../../integrations/transports.js'
import type { Changes } from '../../lib/changes.js'
import type { StoreWith } from '../../storage/store.js'
import type { BodyStore } from '../pings/body-store.js'
import type { QuotaDeps } from './charge-quota.js'

export interface DeliverDeps extends QuotaDeps {
  store: QuotaDeps['store'] &
    StoreWith<
      | 'alerts.facts'
      | 'alerts.projectFacts'
      | 'alerts.settleMessage'
      | 'alerts.giveBack'
      | 'people.takeFromLimits'
      | 'channels.recipientFacts'
    >
  changes: Changes
  worker: string
  site: Site
  /** The transports; what they began ends when `signal` aborts. `begins` is called just before something is sent. */
  transports(signal: AbortSignal, begins?: () => void): Transports
  links: Pick<WireView, 'siteRoot' | 'pingEndpoint'>
  /** Where a recipient stops the messages of a channel. */
  unsubscribeUrl(channelUuid: string, address: string): string
  /** What names an attempt towards a bounce. */
  bounceId(notificationUuid: string): string
  /** Where bodies lie that are not in the database; null where all are. */
  bodies: BodyStore | null
  /** The operator's settings, by name. */
  operator: Readonly<Record<string, string>>
  /** Called with what an attempt failed of where that was no fault of the receiver's. */
  onError(error: unknown): void
  /** One line an attempt, and one for each delivery that is dropped, for the log. */
  onDelivery(event: DeliveryEvent): void
}

export interface DeliveryEvent {
  channel: string
  kind: string
  outcome: 'sent' | 'retry' | 'gave-up' | 'disable' | 'nothing' | DropReason
  /** How many alerts a message combined, where it was not one. */
  alerts?: number
  error?: string
  /** Nothing has arrived through the channel for a day: the operator should know. */
  unreachable?: true
  durationMs: number
  /** Since there was something to send. */
  lagMs: number
}
