/** What every attempt leaves behind: its result, and the settings that the integration found to have changed. */
import { changeSettings } from '../../channels/change-settings.js'
import type { Db } from '../../db.js'
import type { Settlement } from './settlement.js'

/** The longest error text that is stored. */
export const ERROR_LENGTH = 200

/** The attempts, one for each part of the message. */
export function attemptsOf({ parts }: Settlement): { uuid: string }[] {
  return parts.map(({ notificationUuid }) => ({ uuid: notificationUuid }))
}

/** The result of the attempts; `error` is empty if the message was sent. */
export function attemptOutcome({ parts, durationMs }: Settlement, error: string) {
  return { error, durationMs, message: parts.length > 1 ? parts[0]!.notificationUuid : null }
}

/**
 * Stores the settings that the integration found to have changed, unless they were changed
 * since the message was claimed.
 */
export async function keepSettings(db: Db, { channelId, sentWith, settings }: Settlement): Promise<void> {
  if (settings) await changeSettings(db, channelId, sentWith.settings, settings)
}
