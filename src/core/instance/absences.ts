/**
 * What other processes' beats show: which processes have ended, and when no process accepted
 * pings. See decision 0104.
 */
import { BEAT_INTERVAL_MS, type Beat, beatsAbout, SILENT_AFTER_MS } from './beats.js'
import type { Missed } from './outage.js'

/** A process found at start has ended unless it beats again within this time (ms). */
const SILENT_AT_START_MS = BEAT_INTERVAL_MS + 2_500

/**
 * The beats that a process finds when it starts, at `at`. Until the other processes beat again it is not known
 * whether they still accept pings; if they do not, none has accepted any since `from`.
 */
export interface Doubt {
  at: number
  from: number
  beats: readonly Beat[]
}

/** The times in which no process accepted the pings that it should have, and the processes that have ended. */
export interface Absences {
  missed: Missed[]
  ended: string[]
  doubt: Doubt | null
}

/**
 * What the beats show at `now` to a process that has just started; `before` is what it could not tell earlier.
 * It asks again as long as there is a doubt. If no process accepted pings between the last one and the start,
 * that time was an outage, however short; so was the time before each process that it finds and that ended
 * before it could tell that itself.
 */
export function absenceAtStart(beats: readonly Beat[], now: number, before: Doubt | null): Absences {
  const doubt = before ?? { at: now, from: now, beats }
  const latest = new Map(beats.map(beat => [beat.process, beat]))
  const hasNewBeat = ({ process, number }: Beat) => latest.get(process)?.number !== number
  const lastAt = (beat: Beat) => (hasNewBeat(beat) && latest.get(beat.process)?.beatAt) || beat.beatAt
  /** It has sent a beat again, or another process has noted that it ended. */
  const isKnown = (beat: Beat) => !beat.stopped && (!latest.has(beat.process) || hasNewBeat(beat))
  const isSilent = ({ beatAt, stopped }: Beat) =>
    stopped || now - Math.min(doubt.at, beatAt) > SILENT_AT_START_MS

  const missed: Missed[] = []
  const doubtful: Missed[] = []
  const over = new Set<Beat>()
  const open = new Set<Beat>()
  let previous = Number.NEGATIVE_INFINITY
  for (const start of startsOf(doubt)) {
    const earlier = doubt.beats.filter(({ heardFrom = 0 }) => heardFrom < start)
    const last = earlier.filter(beat => lastAt(beat) >= previous)
    const nobody = !last.some(isKnown)
    const hasEnded = nobody && earlier.every(beat => isKnown(beat) || isSilent(beat))
    if (nobody) (hasEnded ? missed : doubtful).push(...silenceBefore(start, last, start === doubt.at))
    for (const beat of last) (hasEnded ? over : open).add(beat)
    previous = start
  }
  const from = Math.min(...doubtful.map(silence => silence.from))
  return {
    missed,
    ended: [...over].filter(beat => !open.has(beat)).map(beat => beat.process),
    doubt: doubtful.length > 0 ? { ...doubt, from } : null,
  }
}

/** The starts of the processes that did not know yet whether others accepted pings before, and of the one that asks. */
function startsOf({ at, beats }: Doubt): number[] {
  const starts = beats.flatMap(({ heardFrom }) =>
    heardFrom !== undefined && heardFrom < at ? heardFrom : [],
  )
  return [...new Set([...starts, at])].sort((a, b) => a - b)
}

/**
 * The time before `start` in which the earlier processes, `last`, did not record pings; partial while one of them
 * did. It may be empty only if it `counts` however short it was.
 */
function silenceBefore(start: number, last: readonly Beat[], counts: boolean): Missed[] {
  if (last.length === 0) return []
  const from = Math.min(start, ...last.map(beat => beat.heardAt))
  const throughout = last.filter(({ heardFrom = 0 }) => heardFrom <= from)
  const heard = Math.min(start, Math.max(from, ...throughout.map(beat => beat.heardAt)))
  return [
    ...(heard > from ? [{ from, to: heard, partial: true }] : []),
    ...(heard < start || counts ? [{ from: heard, to: start }] : []),
  ]
}

/** What the beats show at `now` to `process`, which accepts pings. It knows itself what it missed. */
export function absencesAt(beats: readonly Beat[], process: string, now: number): Absences {
  const ended = beats.filter(
    beat => beat.process !== process && (beat.stopped || now - beat.beatAt > SILENT_AFTER_MS),
  )
  return {
    missed: ended
      .filter(beat => !beat.stopped)
      .map(({ heardAt, beatAt }) => ({ from: heardAt, to: beatAt + SILENT_AFTER_MS, partial: true })),
    ended: ended.map(beat => beat.process),
    doubt: null,
  }
}

/** While the pings that reached a process are on disk up to this long (ms) ago, it counts as taking pings. */
const UP_TO_DATE_MS = 3_000

/**
 * What a process missed, by the beats of the `others` at `now`: partial up to when one of them recorded pings all the time.
 * That it exists is not enough: where the database hangs, none of them records any.
 */
export function missedBeside(missed: Missed, others: readonly Beat[], now: number): Missed[] {
  const { from, to, part, partial } = missed
  if (partial) return [missed]
  const heard = beatsAbout(others, name => name === part)
    .filter(({ heardFrom = 0 }) => heardFrom <= from)
    .map(({ heardAt }) => (now - heardAt <= UP_TO_DATE_MS ? to : heardAt))
  const partialUntil = Math.min(Math.max(from, ...heard), to)
  return [
    ...(partialUntil > from ? [{ ...missed, to: partialUntil, partial: true }] : []),
    ...(partialUntil < to ? [{ ...missed, from: partialUntil }] : []),
  ]
}
