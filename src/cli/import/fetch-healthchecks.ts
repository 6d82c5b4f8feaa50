import type { Json } from '../../core/config/project-config.js'
import { Refusal } from '../../core/errors.js'
import type { ApiObject } from '../../core/import/drafts/read-healthchecks-api.js'
import { reach } from '../server/connection.js'

const TIMEOUT_MS = 60_000

/**
 * The checks of the project that an API key belongs to, and its channels; null if the key may not list them. Throws a
 * `Refusal` if the key is refused, or the server answers something else.
 */
export async function fetchHealthchecks(
  url: string,
  key: string,
): Promise<{ checks: ApiObject[]; channels: ApiObject[] | null }> {
  const get = async (what: 'checks' | 'channels') => {
    const answer = await reach(`${url}/api/v3/${what}/`, {
      headers: { 'X-Api-Key': key },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status === 401 || answer.status === 403) return null
    const body = (await answer.json().catch(() => null)) as { [name: string]: Json } | null
    const list = body?.[what]
    if (!answer.ok || !Array.isArray(list))
      throw new Refusal('unavailable', `${url}/api/v3/${what}/ answered ${answer.status}, and no ${what}`)
    return list as ApiObject[]
  }
  const checks = await get('checks')
  if (checks === null) throw new Refusal('forbidden', `${url} does not accept this API key`)
  return { checks, channels: await get('channels') }
}
