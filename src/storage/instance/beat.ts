/** The beats of processes that accept pings, and the outages that are stored with them. See decision 0104. */
import { absenceAtStart, absencesAt, type Doubt, missedBeside } from '../../core/instance/absences.js'
import { type Beat, beatsAbout, SILENT_AFTER_MS, setBackBy } from '../../core/instance/beats.js'
import { type Missed, type Outage, outageOf } from '../../core/instance/outage.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { addOutages, lockOutages } from './add-outages.js'
import { type Behind, writeBehind } from './behind.js'
import { CLOCKS_AGREE_MS, cutOutages, hasOutagesAhead } from './cut-outages.js'
import { inFewParts } from './few-parts.js'
import { allBeats } from './outages.js'
import { isWithinProject } from './parts.js'
import { repairAfterClockSetBack } from './repair-after-clock-set-back.js'
import type { CutHold } from './wake-after-cut.js'

/** The facts of a beat, besides that the process accepts pings. */
export interface BeatFacts {
  /** Every ping that reached it before this instant (ms) is on disk; default `now`. */
  heardUntil?: number
  /** The earlier instants of those parts of the checks whose pings it cannot record. */
  behind?: Behind
  /** The ended times in which it could not record pings. */
  missed?: readonly Missed[]
  /** `starting`: its first beat, or one that follows while it is in doubt; `stopping`: its last. */
  phase?: 'starting' | 'stopping' | undefined
  /** What was still in doubt at the previous beat. */
  doubt?: Doubt | null
  /** The steps (ms) by which the clock was set back since its last beat, by the monotonic clock; newest last. */
  setBacks?: readonly number[]
}

export interface Beaten {
  /** The outages that were stored. */
  outages: Outage[]
  /** Whether other processes accept pings too, so that each waits for what the others have received. */
  others: boolean
  /** What a starting process cannot tell yet: its beats are `starting` until it can. */
  doubt: Doubt | null
  /** The hold that was cut because the clock had been ahead: what waits for it is to be woken (wake-after-cut.ts). */
  cut?: CutHold
}

/**
 * Stores that `process` accepts pings at `now`, together with ended outages: times in which it could not record
 * pings, in which no process accepted any, or in which another process vanished.
 */
export const beat = write(
  async (db: Db, process: string, now: number, facts: BeatFacts = {}): Promise<Beaten> => {
    const { heardUntil = now, behind, missed = [], phase, doubt = null, setBacks = [] } = facts
    const look = async () => {
      const beats = await allBeats(db)
      const aheadMs = Math.max(...beats.map(({ beatAt }) => beatAt)) - now
      // What a process that has ended missed of a server's part counts as missed of all, which is rare.
      const wholly = beatsAbout(beats, part => !isWithinProject(part))
      const absences =
        phase === 'starting' ? absenceAtStart(wholly, now, doubt) : absencesAt(wholly, process, now)
      const others = beats.filter(beat => beat.process !== process && !absences.ended.includes(beat.process))
      // Unless this process knows better, the clock of another one may be ahead.
      const isCertain = setBacks.length > 0 || others.length === 0
      const ahead = now + (isCertain ? CLOCKS_AGREE_MS : CLOCK_SET_BACK_MS)
      const outagesAhead = (await hasOutagesAhead(db, ahead)) ? ahead : null
      return { beats, others, aheadMs, absences, outagesAhead }
    }
    let { beats, others, aheadMs, absences, outagesAhead } = await look()
    if (
      missed.length + absences.ended.length + absences.missed.length > 0 ||
      aheadMs > CLOCK_SET_BACK_MS ||
      outagesAhead !== null ||
      phase
    ) {
      // If several processes see this at once, one acts; the others wait, and then see its beat.
      await lockOutages(db)
      ;({ beats, others, aheadMs, absences, outagesAhead } = await look())
    }
    let cut: CutHold | null = null
    if (aheadMs > CLOCK_SET_BACK_MS) {
      // Every check is written, which takes time.
      db.liftTimeLimit?.()
      await repairAfterClockSetBack(db, now, setBackBy(aheadMs, setBacks))
      ;({ beats, others, absences } = await look())
    } else if (outagesAhead !== null) {
      const byMs = setBacks.length > 0 ? setBacks.reduce((sum, step) => sum + step, 0) : null
      cut = await cutOutages(db, now, byMs, outagesAhead)
    }
    const beside = beats.filter(beat => beat.process !== process)
    const apart = beats
      .filter(({ process }) => absences.ended.includes(process))
      .flatMap(missedWithinProjects)
    const ownMissed = missed.flatMap(one => missedBeside(endedBy(one, now), beside, now))
    const othersMissed = [...absences.missed, ...apart].map(one => endedBy(one, now))
    const allMissed = inFewParts([...ownMissed, ...othersMissed])
    const outages = allMissed.map(one => outageOf(one, db.settings.outageHoldMs))
    await addOutages(db, outages)
    await removeBeats(db, absences.ended)
    const unknown = phase === 'stopping' ? doubt : absences.doubt
    // If this process stops before its doubt is resolved, the next one needs its beat.
    if (phase === 'stopping' && others.length > 0 && !unknown) await removeBeats(db, [process])
    else {
      // If this clock is behind those of other processes, this process must not look as if it had ended.
      const beatAt = Math.max(now, ...others.map(beat => beat.beatAt))
      const since = unknown && { heardFrom: unknown.at }
      const heard = { heardAt: heardUntil, ...(behind && { behind }) }
      await saveBeat(db, { process, beatAt, ...heard, ...since, stopped: phase === 'stopping' })
    }
    return { outages, others: others.length > 0, doubt: absences.doubt, ...(cut && { cut }) }
  },
)

/** Limits a missed time to `now`, in case it was measured by a clock that has been set back since. */
function endedBy(missed: Missed, now: number): Missed {
  return { ...missed, from: Math.min(missed.from, now - 1), to: Math.min(missed.to, now) }
}

/** What a process that has ended missed of parts within projects, whose pings waited for a lock. */
function missedWithinProjects({ behind = {}, beatAt }: Beat): Missed[] {
  return Object.entries(behind).flatMap(([part, from]) =>
    isWithinProject(part) ? [{ from, to: Math.max(from + 1, beatAt + SILENT_AFTER_MS), part }] : [],
  )
}

async function removeBeats(db: Db, processes: readonly string[]): Promise<void> {
  if (processes.length > 0) await db.sql.deleteFrom('beats').where('process', 'in', processes).execute()
}

async function saveBeat(
  db: Db,
  { process, beatAt, heardAt, heardFrom = 0, behind = {}, stopped }: Beat,
): Promise<void> {
  const heard = { heard_at: heardAt, heard_from: heardFrom, behind: writeBehind(behind) }
  const said = { beat_at: beatAt, ...heard, stopped: stopped ? 1 : 0 }
  await db.sql
    .insertInto('beats')
    .values({ process, ...said, number: 1 })
    .onConflict(oc =>
      oc.column('process').doUpdateSet(eb => ({ ...said, number: eb('beats.number', '+', 1) })),
    )
    .execute()
}
