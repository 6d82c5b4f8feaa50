import { Refusal } from '../../core/errors.js'
import { withStore } from '../with-store.js'
import type { ImportedCheck } from './import-draft.js'

/**
 * Lets checks be known by the push tokens in their old addresses, `/api/push/TOKEN`, besides those that they have. A token that
 * cannot be kept is noted. Throws a `Refusal` if a check is not in the database of this installation.
 */
export async function keepPushTokens(
  checks: readonly ImportedCheck[],
  note: (subject: string, text: string) => void,
): Promise<void> {
  await withStore(async ({ store, clock }) => {
    for (const { key, uuid, before } of checks) {
      const token = before?.split('/').at(-1)
      if (token === undefined) continue
      const [found] = await store.checks.findAnywhere(uuid)
      if (!found)
        throw new Refusal('not-found', 'the push tokens were not kept: the server uses another database')
      const tokens = await store.projects.pushTokens(found.projectId, uuid)
      try {
        await store.projects.setPushTokens(found.projectId, uuid, [...tokens, token], clock.now())
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        note(key, `Its push token was not kept: ${error.message}.`)
      }
    }
  })
  note(
    'push addresses',
    'They work if Uptime Kuma is chosen under Other monitors in the settings of the project.',
  )
}
