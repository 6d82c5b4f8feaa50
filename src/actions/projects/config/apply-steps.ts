/** Makes the steps of a plan, in one transaction or several. Decision 0123. */
import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import { endOfSlice, type Sizes, TRANSACTION_MS, usualSizes } from '../../../lib/slices.js'
import { type ConfigStep, inPhases, isMadeTogether } from '../../../storage/projects/config/config-step.js'
import type { StoredConfig } from '../../../storage/projects/config/stored-config.js'
import type { AskedConfig } from '../../../storage/projects/config.js'
import type { StoreWith } from '../../../storage/store.js'
import { ApplyState } from './apply-state.js'
import { stepWeights } from './step-weights.js'

export interface Steps extends Pick<AskedConfig, 'owner' | 'by' | 'author'> {
  projectId: number
  /** The project for which they were planned. */
  stored: StoredConfig
  steps: readonly ConfigStep[]
  /** Gets the UUIDs of channels that were written, by their keys. */
  written: Map<string, string>
}

/**
 * Makes all steps or none if that is little work. Else pings of others would wait for long, so the steps are made in several transactions. Each
 * completes its steps, so that a plan made after a crash has those that are missing. Throws a `Refusal` as the store, which says how much was
 * done before, if anything was. Sizes are in {@link stepWeights}.
 */
export async function applySteps(
  store: StoreWith<'projects.applyConfig'>,
  clock: Clock,
  { projectId, stored, steps, written, ...asked }: Steps,
  { atOnce, slices }: Sizes = usualSizes(),
): Promise<void> {
  const { state, ordered, weights } = await inTurns(prepare(stored, steps))
  const isSmall = weights.reduce((sum, one) => sum + one, 0) <= atOnce
  // A transaction ends when its time is over, but only between steps that are made one by one.
  const counted = weights.map((weight, place) => (isMadeTogether(ordered[place]!) ? weight : 1))
  for (let [from, count] = [0, 0]; from < ordered.length; ) {
    const to = isSmall ? ordered.length : endOfSlice(counted, from, slices.size)
    const some = ordered.slice(from, to)
    const begunAt = performance.now()
    const applied = await store.projects
      .applyConfig(projectId, {
        ...asked,
        ...state.expected(some, from === 0),
        steps: some,
        growth: from === 0 && !isSmall ? growthOf(steps) : 0,
        limitMs: isSmall ? null : TRANSACTION_MS.change,
        stale: to < ordered.length ? [] : state.stale(),
        now: clock.now(),
      })
      .catch((error: unknown) => {
        throw count > 0 ? withProgress(error, count, steps.length) : error
      })
    slices.took(performance.now() - begunAt)
    const made = some.slice(0, applied.done)
    state.made(made, applied, asked.owner)
    for (const { section, action, key } of made)
      if (section === 'channels' && action !== 'delete') written.set(key, state.refs.channels.get(key)!)
    count += made.filter(({ action }) => action !== 'depend').length
    from += made.length
  }
}

/** In turns: the steps in order with what they need to know, and their weights. */
function* prepare(stored: StoredConfig, steps: readonly ConfigStep[]) {
  const state = new ApplyState(stored, steps)
  const completed = yield* mapped(steps, step => state.completed(step))
  const dependencies = yield* mapped(steps, step => state.dependencies(step))
  const ordered = inPhases([...completed, ...dependencies.flat()])
  yield
  return { state, ordered, weights: stepWeights(ordered, stored) }
}

function growthOf(steps: readonly ConfigStep[]): number {
  const count = (action: ConfigStep['action']) =>
    steps.filter(step => step.section === 'checks' && step.action === action).length
  return count('create') - count('delete')
}

function withProgress(error: unknown, done: number, of: number): unknown {
  if (!(error instanceof Refusal)) return error
  const progress = `${done} of ${of} changes were made before; applying the file again makes the others`
  return new Refusal(error.code, `${error.message} (${progress})`, error.field)
}
