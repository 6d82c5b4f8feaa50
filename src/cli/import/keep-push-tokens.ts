import { type Api, ApiError, type PunctualApi } from '../../client/index.js'
import type { ImportedCheck } from './import-draft.js'

/** The statuses for a token that another check has, and for one that is not valid. */
const NOT_KEPT = [409, 422]

/**
 * Lets checks of a server be known by the push tokens in their old addresses, `/api/push/TOKEN`, besides those that they have.
 * A token that another check has is noted. Throws an `ApiError` if the caller may not set them.
 */
export async function keepPushTokens(
  api: Pick<PunctualApi, 'getPushTokens' | 'putPushTokens'>,
  checks: readonly ImportedCheck[],
  note: (subject: string, text: string) => void,
): Promise<void> {
  for (const { key, uuid, before } of checks) {
    const token = before?.split('/').at(-1)
    if (token === undefined) continue
    const { tokens }: Api.PushTokens = await api.getPushTokens(uuid)
    if (tokens.includes(token)) continue
    try {
      await api.putPushTokens(uuid, { tokens: [...tokens, token] })
    } catch (error) {
      if (!(error instanceof ApiError) || !NOT_KEPT.includes(error.status)) throw error
      note(key, `Its push token was not kept: ${error.message}.`)
    }
  }
  note(
    'push addresses',
    'They work if Uptime Kuma is chosen under Other monitors in the settings of the project.',
  )
}
