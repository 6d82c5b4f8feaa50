/** What alerts need of other nouns, as methods of their own: requests ask for the same, and alerts must not wait for them. */
import { ofCheck } from '../channels/check-channels.js'
import { recipientFacts as factsOfRecipient } from '../channels/recipients.js'
import type { Db } from '../db.js'
import { read, readWithoutSnapshot, write } from '../method.js'
import { type RateLimit, takeFromLimits as takeFromBuckets } from '../people/rate-limits.js'

export { dependantsOfCheck } from '../incidents/dependencies/dependants.js'

export const channelsOfCheck = readWithoutSnapshot((db: Db, checkId: number) => ofCheck(db, checkId))

export const recipientFacts = read((db: Db, channelUuid: string, address: string) =>
  factsOfRecipient(db, channelUuid, address),
)

export const takeFromLimits = write((db: Db, limits: readonly RateLimit[], now: number) =>
  takeFromBuckets(db, limits, now),
)
