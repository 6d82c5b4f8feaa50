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
 * long as there is a doubt. The time since somebody last took pings is one that nobody took any, however short it was.
 */
export function absenceAtStart(beats: readonly Beat[], now: number, before: Doubt | null): Absences {
  const none = { missed: [], ended: [], doubt: null }
  const doubt = before ?? { at: now, from: Math.min(now, ...beats.map(beat => beat.heardAt)), beats }
  if (doubt.beats.length === 0) return none
  const running = doubt.beats.filter(beat => !beat.stopped)
  const latest = new Map(beats.map(beat => [beat.process, beat.beatAt]))
  if (running.some(beat => latest.get(beat.process) !== beat.beatAt)) return none
  const since = Math.min(doubt.at, Math.max(...running.map(beat => beat.beatAt)))
  if (now - since <= SILENT_AT_START_MS) return { ...none, doubt }
  const ended = doubt.beats.map(beat => beat.process)
  return { missed: [{ from: doubt.from, to: doubt.at }], ended, doubt: null }
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
