import { Refusal } from '../../core/errors.js'
import { PROTOCOL_NAMES, type Protocol } from '../../core/projects/protocols.js'
import type { StoreWith } from '../../storage/store.js'

/** Sets the protocols of other monitors that a project accepts. Throws a `Refusal` for an unknown one. */
export async function setProtocols(
  store: StoreWith<'projects.setProtocols'>,
  projectId: number,
  names: readonly string[],
  now: number,
): Promise<void> {
  const isKnown = (name: string): name is Protocol => (PROTOCOL_NAMES as string[]).includes(name)
  if (!names.every(isKnown)) throw new Refusal('invalid', 'choose protocols of the list', 'protocols')
  await store.projects.setProtocols(projectId, names, now)
}
