import { tagList } from '../../core/checks/check.js'
import { Refusal } from '../../core/errors.js'
import type { Retagged } from '../../storage/checks/tag-checks.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Adds the tags in `text` to checks, or removes them. Returns those that changed. See
 * storage/checks/tag-checks.ts.
 */
export async function tagChecks(
  store: StoreWith<'checks.tag'>,
  projectId: number,
  uuids: readonly string[],
  text: string,
  what: 'add' | 'remove',
  now: number,
): Promise<Retagged[]> {
  const tags = tagList(text)
  if (tags.length === 0) throw new Refusal('invalid', 'name at least one tag')
  const asked = what === 'add' ? { add: tags, remove: [], now } : { add: [], remove: tags, now }
  return (await store.checks.tag(projectId, uuids, asked)).changed
}
