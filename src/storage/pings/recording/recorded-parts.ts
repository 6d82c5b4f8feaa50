import type { LockedCheck, RecordedPings } from '../../../core/pings/arrived-ping.js'
import { PartAway } from './part-away.js'

/** Some pings of a batch, by their places in it, and their outcomes. */
export interface RecordedPart {
  places: readonly number[]
  recorded: Promise<RecordedPings>
}

/**
 * The outcomes of a batch that was recorded in parts. Rejects only if every part failed, and not because the servers of these
 * checks are away.
 */
export async function joinParts(parts: readonly RecordedPart[]): Promise<RecordedPings> {
  const results = await Promise.allSettled(parts.map(({ recorded }) => recorded))
  const all: RecordedPings = { outcomes: [], alerts: false, wakeAt: null, errors: [] }
  const away = new Map<number, string>()
  const locked = new Map<number, LockedCheck>()
  const large = new Set<number>()
  const refuse = (reason: Error) => {
    // Those whose server is there are tried again, or refused for this reason.
    if (!all.refusal || all.refusal instanceof PartAway) all.refusal = reason
  }
  for (const [index, { places }] of parts.entries()) {
    const result = results[index]!
    if (result.status === 'rejected') {
      refuse(result.reason)
      for (const place of places) {
        all.outcomes[place] = 'refused'
        if (result.reason instanceof PartAway) away.set(place, result.reason.part)
      }
      continue
    }
    const { outcomes, alerts, wakeAt, errors, refusal } = result.value
    const { away: awayInPart, locked: lockedInPart, large: largeInPart } = result.value
    for (const [at, place] of places.entries()) {
      all.outcomes[place] = outcomes[at]!
      const part = awayInPart?.get(at)
      if (part !== undefined) away.set(place, part)
      const check = lockedInPart?.get(at)
      if (check !== undefined) locked.set(place, check)
      if (largeInPart?.has(at)) large.add(place)
    }
    all.alerts ||= alerts
    if (wakeAt !== null) all.wakeAt = Math.min(wakeAt, all.wakeAt ?? wakeAt)
    all.errors.push(...errors)
    if (refusal) refuse(refusal)
  }
  if (away.size === 0 && results.every(({ status }) => status === 'rejected')) throw all.refusal
  return {
    ...all,
    ...(away.size > 0 && { away }),
    ...(locked.size > 0 && { locked }),
    ...(large.size > 0 && { large }),
  }
}
