/** When nothing is expected of checks because of silences. Pure; instants in ms. */
import type { Waived } from '../checks/health/judge.js'
import { spanAt } from '../time/edges.js'
import type { Span } from '../time/spans.js'
import type { Timed } from './silence.js'
import { type ActiveTimes, activeAmong } from './windows.js'

/**
 * How much time is looked at at once. Few instants are asked for, and they may lie a year back: so windows are found for the
 * days of these instants only.
 */
const PART_MS = 86_400_000

/** The number of parts over which a window is followed: the longest one that recurs lasts a week. */
const MOST_FOLLOWED = 8

/** The silences of some checks, up to an instant. The windows of a day are found once for all of the checks. */
export class Waivers {
  readonly #parts = new Map<number, ActiveTimes>()
  readonly #active = new Map<string, readonly number[]>()
  readonly #numbers: ReadonlyMap<Timed, number>

  constructor(
    private readonly silences: readonly Timed[],
    private readonly until: number,
  ) {
    this.#numbers = new Map(silences.map((silence, number) => [silence, number]))
  }

  /** When nothing is expected of a check with these of the silences. */
  of(own: readonly Timed[]): Waived {
    const key = own.map(silence => this.#numbers.get(silence)!).join()
    const activeIn = (part: number) => this.#activeIn(part, own, key)
    return {
      windowAt: instant => {
        const first = Math.floor(instant / PART_MS)
        const window = spanAt(activeIn(first), instant)
        if (!window) return undefined
        let { to } = window
        for (let part = first + 1; to === part * PART_MS && part <= first + MOST_FOLLOWED; part++) {
          to = spanAt(activeIn(part), to)?.to ?? to
        }
        return { from: window.from, to }
      },
    }
  }

  #activeIn(part: number, own: readonly Timed[], key: string): readonly number[] {
    const name = `${part} ${key}`
    const known = this.#active.get(name)
    if (known) return known
    const active = this.#activeAmong(part)(own)
    this.#active.set(name, active)
    return active
  }

  #activeAmong(part: number): ActiveTimes {
    const known = this.#parts.get(part)
    if (known) return known
    const span: Span = { from: part * PART_MS, to: Math.min((part + 1) * PART_MS, this.until) }
    const active = activeAmong(this.silences, span)
    this.#parts.set(part, active)
    return active
  }
}
