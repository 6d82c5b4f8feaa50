import type { RecordedPings } from '../../../core/pings/arrived-ping.js'

/** Some pings of a batch, by their places in it, and their outcomes. */
export interface RecordedPart {
  places: readonly number[]
  recorded: Promise<RecordedPings>
}

/** The outcomes of a batch that was recorded in parts. Rejects only if every part failed. */
export async function joinParts(parts: readonly RecordedPart[]): Promise<RecordedPings> {
  const results = await Promise.allSettled(parts.map(({ recorded }) => recorded))
  const all: RecordedPings = { outcomes: [], alerts: false, wakeAt: null, errors: [] }
  for (const [index, { places }] of parts.entries()) {
    const result = results[index]!
    if (result.status === 'rejected') {
      all.refusal = result.reason
      for (const place of places) all.outcomes[place] = 'refused'
      continue
    }
    const { outcomes, alerts, wakeAt, errors, refusal } = result.value
    for (const [at, place] of places.entries()) all.outcomes[place] = outcomes[at]!
    all.alerts ||= alerts
    if (wakeAt !== null) all.wakeAt = Math.min(wakeAt, all.wakeAt ?? wakeAt)
    all.errors.push(...errors)
    if (refusal) all.refusal ??= refusal
  }
  if (results.every(({ status }) => status === 'rejected')) throw all.refusal
  return all
}
