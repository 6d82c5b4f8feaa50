/**
 * Records pings where Citus distributes checks. What only changes states and adds to logs is written on the workers themselves;
 * what else a ping may need, such as alerts, is on the coordinator, so the other pings go through it.
 */
import type { ArrivedPing, RecordedPings } from '../../../core/pings/arrived-ping.js'
import { appendTo } from '../../../lib/append-to.js'
import { planOfSome } from '../../pings/recording/known-plan.js'
import { joinParts, type RecordedPart } from '../../pings/recording/recorded-parts.js'
import { type Recording, requestOf, settleSaved } from '../saved-pings.js'
import { findOnWorkers } from './find-on-workers.js'
import { recordApart } from './record-apart.js'
import { saveOnWorkers } from './save-on-workers.js'
import type { Workers } from './workers.js'

/** How often checks are read and saved, if other processes change them in between. */
const TRIES = 2

interface Recorder extends Recording {
  workers: Workers
  /** When it has to end (of `performance.now()`). */
  until: number
  /** The IDs of the checks whose earlier pings still wait. */
  waiting: ReadonlySet<number>
  /** Records pings in one transaction of the coordinator. */
  record(pings: readonly ArrivedPing[]): Promise<RecordedPings>
}

/** Records a batch. Rejects only if no ping could be recorded. */
export async function recordOnWorkers(
  recorder: Recorder,
  arrived: readonly ArrivedPing[],
  tries = TRIES,
): Promise<RecordedPings> {
  const { connections, workers, settings, waiting, record } = recorder
  const otherwise = (pings: readonly ArrivedPing[]) => recordApart(connections, workers, pings, record)
  // With object storage, more may have to be written than this path does.
  if (settings.objectStorage || tries === 0) return await otherwise(arrived)
  workers.refresh()
  const { pings, checks, failed } = await findOnWorkers(recorder, arrived)
  const mayBeSaved = (uuid: string) => {
    const check = checks.get(uuid)?.check
    return check && !waiting.has(check.id) ? check : undefined
  }
  const { plan, places } = planOfSome(mayBeSaved, pings)
  const at = (some: readonly number[]) => some.map(place => pings[place]!)
  const parts: RecordedPart[] = []
  if (plan) {
    const save = async () => {
      const saved = await saveOnWorkers(
        recorder,
        plan,
        requestOf(plan, uuid => checks.get(uuid)!.version),
      )
      const again = (rest: readonly ArrivedPing[]) => recordOnWorkers(recorder, rest, tries - 1)
      return await settleSaved(recorder, plan, at(places), saved, again)
    }
    parts.push({ places, recorded: save() })
  }
  const planned = new Set(places)
  const others = [...pings.keys()].filter(place => !planned.has(place))
  const errorAt = (place: number) => {
    const { target } = pings[place]!
    return 'uuid' in target ? failed.get(target.uuid) : undefined
  }
  // By workers, whose errors differ.
  const refused = new Map<Error, number[]>()
  for (const place of others) {
    const error = errorAt(place)
    if (error) appendTo(refused, error, place)
  }
  for (const [error, places] of refused) parts.push({ places, recorded: Promise.reject(error) })
  const rest = others.filter(place => errorAt(place) === undefined)
  if (rest.length > 0) parts.push({ places: rest, recorded: otherwise(at(rest)) })
  return await joinParts(parts)
}
