import type { Progress } from '../../../actions/checks/in-slices.js'
import { plural } from '../../../core/text/plural.js'

/** How many checks an act left as they were, and why; null: none. */
export function leftWords({
  done,
  of,
  stop,
}: Pick<Progress<unknown>, 'done' | 'of' | 'stop'>): string | null {
  if (stop === null) return null
  const why = stop === 'outdated' ? 'some have changed since you looked' : stop.message
  return `Left ${plural(of - done, 'check')} unchanged: ${why}.`
}
