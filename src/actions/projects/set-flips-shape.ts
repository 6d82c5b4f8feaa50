import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

/** How version 3 of the API lists a project's flips; `default`: as WRAP_FLIPS says. */
export const FLIPS_SHAPES = ['default', 'array', 'object'] as const
export type FlipsShape = (typeof FLIPS_SHAPES)[number]

const WRAPS: Record<FlipsShape, boolean | null> = { default: null, array: false, object: true }

/** Sets how version 3 of the API lists a project's flips. Throws a `Refusal` for an unknown shape. */
export async function setFlipsShape(
  store: StoreWith<'checks.setWrapFlips'>,
  projectId: number,
  shape: string,
  now: number,
): Promise<void> {
  if (!Object.hasOwn(WRAPS, shape)) throw new Refusal('invalid', 'choose one of the forms', 'flips')
  await store.checks.setWrapFlips(projectId, WRAPS[shape as FlipsShape], now)
}

/** The stored shape. */
export async function flipsShape(
  store: StoreWith<'checks.wrapsFlips'>,
  projectId: number,
): Promise<FlipsShape> {
  const wraps = await store.checks.wrapsFlips(projectId)
  return wraps === null ? 'default' : wraps ? 'object' : 'array'
}
