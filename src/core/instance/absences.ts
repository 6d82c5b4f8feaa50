/** What the beats of others show to one process: who has ended, and when nobody took pings. See decision 0104. */
import { BEAT_INTERVAL_MS, type Beat, SILENT_AFTER_MS } from './beats.js'
import type { Missed } from './outage.js'

/** Those that were there before a process started have ended unless one of them beats again within this time. */
const SILENT_AT_START_MS = BEAT_INTERVAL_MS + 2_500

/**
 * The processes that one which starts `at` finds: whether they still take pings is not known before they beat again, and
 * if they do not, nobody took any since `from`.
 */
export interface Doubt {
  at: number
  from: number
  beats: readonly Beat[]
}

/** The times in which others should have taken pings and did not, and the processes that have ended. */
export interface Absences {
  missed: Missed[]
  ended: string[]
  doubt: Doubt | null
}

/**
 * What the beats show at `now` to a process that has just started, and of what it could not tell before: it asks again as
 * long as there is a doubt. The time before it since somebody last took pings is one that nobody took any, however short
 * it was; so is the time before each process that it finds and that ended before it could tell that itself.
 */
export function absenceAtStart(beats: readonly Beat[], now: number, before: Doubt | null): Absences {
  const doubt = before ?? { at: now, from: now, beats }
  const latest = new Map(beats.map(beat => [beat.process, beat]))
  const hasNewBeat = ({ process, number }: Beat) => latest.get(process)?.number !== number
  const lastAt = (beat: Beat) => (hasNewBeat(beat) && latest.get(beat.process)?.beatAt) || beat.beatAt
  /** It has beaten again, or another process has noted that it ended. */
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
    const isOver = nobody && earlier.every(beat => isKnown(beat) || isSilent(beat))
    if (nobody) (isOver ? missed : doubtful).push(...silenceBefore(start, last, start === doubt.at))
    for (const beat of last) (isOver ? over : open).add(beat)
    previous = start
  }
  const from = Math.min(...doubtful.map(silence => silence.from))
  return {
    missed,
    ended: [...over].filter(beat => !open.has(beat)).map(beat => beat.process),
    doubt: doubtful.length > 0 ? { ...doubt, from } : null,
  }
}

/** When the processes started that did not know yet whether anyone took pings before, and when the one did that asks. */
function startsOf({ at, beats }: Doubt): number[] {
  const starts = beats.flatMap(({ heardFrom }) =>
    heardFrom !== undefined && heardFrom < at ? heardFrom : [],
  )
  return [...new Set([...starts, at])].sort((a, b) => a - b)
}

/**
 * The time before `start` in which the processes before it, `last`, have not heard, partial as long as one of them has. It
 * may be empty only where it `counts` however short it was.
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

/** What the beats show at `now` to `process`, which takes pings. What it missed itself it knows itself. */
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
