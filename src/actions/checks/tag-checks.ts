import { tagList } from '../../core/checks/check.js'
import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import type { Sizes } from '../../lib/slices.js'
import type { Retagged } from '../../storage/checks/tag-checks.js'
import type { StoreWith } from '../../storage/store.js'
import { actUndoably, type UndoableProgress } from './act-undoably.js'
import { isMuch } from './in-slices.js'

interface Asked {
  projectId: number
  uuids: readonly string[]
  /** The tags. */
  text: string
  what: 'add' | 'remove'
  userId: number
  sizes?: Sizes
}

/** Adds the tags in `text` to checks, or removes them. See storage/checks/tag-checks.ts. */
export async function tagChecks(
  store: StoreWith<'checks.tag' | 'checks.refuseTags' | 'checks.offerUndo'>,
  clock: Clock,
  { projectId, uuids, text, what, userId, sizes }: Asked,
): Promise<UndoableProgress<{ changed: Retagged[] }>> {
  const tags = tagList(text)
  if (tags.length === 0) throw new Refusal('invalid', 'name at least one tag')
  const asked = what === 'add' ? { add: tags, remove: [] } : { add: [], remove: tags }
  const slicing = { items: uuids, weights: uuids.map(() => 1), ...(sizes && { sizes }) }
  if (isMuch(slicing)) await store.checks.refuseTags(projectId, uuids, asked)
  return await actUndoably(store, clock, {
    ...slicing,
    userId,
    write: async (some, part, now) => await store.checks.tag(projectId, some, { ...asked, now, part }),
    hasChanged: ({ changed }) => changed.length > 0,
  })
}
