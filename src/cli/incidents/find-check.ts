import { Refusal } from '../../core/errors.js'
import type { FoundCheck } from '../../storage/checks/find-anywhere.js'
import type { StoreWith } from '../../storage/store.js'

/** The check with this UUID, slug or name. Throws a `Refusal` when there is none, or more than one. */
export async function findCheck(store: StoreWith<'checks.findAnywhere'>, named: string): Promise<FoundCheck> {
  const found = await store.checks.findAnywhere(named.trim())
  if (found.length === 0) throw new Refusal('not-found', `there is no check ${named}`)
  if (found.length > 1) {
    const lines = found.map(({ uuid, name, project }) => `  ${uuid}  ${name}  (project ${project})`)
    throw new Refusal('invalid', [`several checks are called ${named}; give the UUID:`, ...lines].join('\n'))
  }
  return found[0]!
}
