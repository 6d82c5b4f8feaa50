import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import { type Sizes, usualSizes } from '../../lib/slices.js'
import type { StoreWith } from '../../storage/store.js'
import { inSlices, isMuch } from '../checks/in-slices.js'
import { linkWeights } from '../checks/link-weights.js'

interface Asked {
  id: number
  projectId: number
  /** UUIDs. */
  checks: readonly string[]
  /** Whether all of them have to be checks of the project. */
  known?: boolean
  sizes?: Sizes
}

/**
 * Links a channel to these checks and no others, all or none if few links change; else in several transactions, first the links
 * that go. Returns the number of links. Throws as the store's `channels.assign`; a `Refusal` says how many links had changed before.
 */
export async function assignChannel(
  store: StoreWith<
    'channels.assign' | 'channels.previewAssignment' | 'channels.linkCounts' | 'channels.switchForChecks'
  >,
  clock: Clock,
  { sizes = usualSizes(), ...asked }: Asked,
): Promise<number> {
  const { projectId } = asked
  const { channel, removed, added, assigned } = await store.channels.previewAssignment(asked)
  const of = removed.length + added.length
  const weights = await linkWeights(store, projectId, [...removed, ...added])
  if (!isMuch({ weights, sizes }))
    return (await store.channels.assign({ ...asked, now: clock.now() })).assigned
  let done = 0
  const change = async (items: readonly string[], itsWeights: readonly number[], on: boolean) => {
    const slicing = { items, weights: itsWeights, sizes }
    const progress = await inSlices(slicing, async ({ items: checks }) => {
      return await store.channels.switchForChecks(projectId, { checks, channel }, on, clock.now())
    }).catch((error: unknown) => {
      throw error instanceof Refusal && done > 0 ? withProgress(error, done, of) : error
    })
    done += progress.done
    if (progress.stop instanceof Refusal) throw withProgress(progress.stop, done, of)
  }
  await change(removed, weights.slice(0, removed.length), false)
  await change(added, weights.slice(removed.length), true)
  return assigned
}

function withProgress({ code, message, field }: Refusal, done: number, of: number): Refusal {
  const progress = `${done} of ${of} links were changed before; assigning the checks again changes the others`
  return new Refusal(code, `${message} (${progress})`, field)
}
