/** What a process that takes pings says of itself, and what it puts on record with that. See decision 0104. */
import { absenceAtStart, absencesAt, type Doubt } from '../../core/instance/absences.js'
import { type Beat, setBackBy } from '../../core/instance/beats.js'
import { type Missed, type Outage, outageOf } from '../../core/instance/outage.js'
import { CLOCK_SET_BACK_MS } from '../../core/pings/ping.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { cutOutages, hasOutagesAhead } from './cut-outages.js'
import { addOutage, allBeats, lockOutages } from './outages.js'
import { repairAfterClockSetBack } from './repair-after-clock-set-back.js'

/** What a process says with a beat, besides that it takes pings. */
export interface BeatFacts {
  /** Every ping that reached it before this instant (ms) is on disk; `now` unless given. */
  heardUntil?: number
  /** The times that are over in which it could not record pings. */
  missed?: readonly Missed[]
  /** This is its first beat or one of those that follow while it doubts, or its last. */
  phase?: 'starting' | 'stopping' | undefined
  /** What the beat before could not tell. */
  doubt?: Doubt | null
  /** How far the clock was set back (ms) each time since its last beat, by the monotonic clock; newest last. */
  setBacks?: readonly number[]
}

export interface Beaten {
  /** What is on record now and was not before. */
  outages: Outage[]
  /** Whether other processes take pings as well, so that each waits for what the others have heard. */
  others: boolean
  /** What a process that starts cannot tell yet: its beats are `starting` until it can. */
  doubt: Doubt | null
}

/**
 * Notes that `process` takes pings at `now`, together with the outages that are over: times in which it could not record
 * pings, in which nobody took any, or in which another process vanished.
 */
export const beat = write(
  async (db: Db, process: string, now: number, facts: BeatFacts = {}): Promise<Beaten> => {
    const { heardUntil = now, missed = [], phase, doubt = null, setBacks = [] } = facts
    const look = async () => {
      const beats = await allBeats(db)
      const aheadMs = Math.max(...beats.map(({ beatAt }) => beatAt)) - now
      const absences =
        phase === 'starting' ? absenceAtStart(beats, now, doubt) : absencesAt(beats, process, now)
      return { beats, aheadMs, absences, outagesAhead: await hasOutagesAhead(db, now) }
    }
    let { beats, aheadMs, absences, outagesAhead } = await look()
    if (
      missed.length + absences.ended.length + absences.missed.length > 0 ||
      aheadMs > CLOCK_SET_BACK_MS ||
      outagesAhead ||
      phase
    ) {
      // Of several processes that see it together one acts on it; the others wait, and then see its beat.
      await lockOutages(db)
      ;({ beats, aheadMs, absences, outagesAhead } = await look())
    }
    if (aheadMs > CLOCK_SET_BACK_MS) {
      // Every check is written.
      db.liftTimeLimit?.()
      await repairAfterClockSetBack(db, now, setBackBy(aheadMs, setBacks))
      ;({ beats, absences } = await look())
    } else if (outagesAhead) await cutOutages(db, now, null)
    const others = beats.filter(beat => beat.process !== process && !absences.ended.includes(beat.process))
    const ownMissed = missed.map(one => ({ ...one, partial: one.partial === true || others.length > 0 }))
    const outages = [...ownMissed, ...absences.missed].map(one =>
      outageOf(endedBy(one, now), db.settings.outageHoldMs),
    )
    for (const outage of outages) await addOutage(db, outage)
    await removeBeats(db, absences.ended)
    const unknown = phase === 'stopping' ? doubt : absences.doubt
    // What a process heard that ends before it knows of those before it is needed by the next.
    if (phase === 'stopping' && others.length > 0 && !unknown) await removeBeats(db, [process])
    else {
      // A clock that is behind those of the others must not make this process look as if it had ended.
      const beatAt = Math.max(now, ...others.map(beat => beat.beatAt))
      const since = unknown && { heardFrom: unknown.at }
      await saveBeat(db, { process, beatAt, heardAt: heardUntil, ...since, stopped: phase === 'stopping' })
    }
    return { outages, others: others.length > 0, doubt: absences.doubt }
  },
)

/** What is over has ended by `now`, whatever a clock said that has been set back since. */
function endedBy(missed: Missed, now: number): Missed {
  return { ...missed, from: Math.min(missed.from, now - 1), to: Math.min(missed.to, now) }
}

async function removeBeats(db: Db, processes: readonly string[]): Promise<void> {
  if (processes.length > 0) await db.sql.deleteFrom('beats').where('process', 'in', processes).execute()
}

async function saveBeat(db: Db, { process, beatAt, heardAt, heardFrom = 0, stopped }: Beat): Promise<void> {
  const said = { beat_at: beatAt, heard_at: heardAt, heard_from: heardFrom, stopped: stopped ? 1 : 0 }
  await db.sql
    .insertInto('beats')
    .values({ process, ...said, number: 1 })
    .onConflict(oc =>
      oc.column('process').doUpdateSet(eb => ({ ...said, number: eb('beats.number', '+', 1) })),
    )
    .execute()
}
