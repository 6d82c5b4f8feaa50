/** Brings back the instants in what was remembered by a clock that was ahead. Decision 0008. */

/** The clock was ahead by `byMs` and has been set back to `now` (ms). */
export interface SetBack {
  now: number
  byMs: number
}

/** Gives a value as it is after the clock was set back. */
export type Back<T> = (value: T, step: SetBack) => T

/** Names every part, so that none with an instant is forgotten. */
export type Parts<T> = { readonly [Part in keyof T]-?: Back<NonNullable<T[Part]>> }

/** For what holds no instant, or one that a person chose. */
export const kept = <T>(value: T): T => value

/** An instant (ms) moves with the clock if it lies ahead. */
export const instant: Back<number> = (at, { now, byMs }) => (at > now ? at - byMs : at)

/** For an object; parts that are null or missing stay so. */
export function whole<T extends object>(parts: Parts<T>): Back<T> {
  const names = Object.keys(parts) as (keyof T)[]
  return (value, step) => {
    const back = { ...value }
    for (const name of names) {
      const part = value[name]
      if (part !== null && part !== undefined) back[name] = parts[name](part, step)
    }
    return back
  }
}

/** For each of a list of objects. */
export function each<T extends object>(parts: Parts<T>): Back<readonly T[]> {
  const one = whole(parts)
  return (values, step) => values.map(value => one(value, step))
}
