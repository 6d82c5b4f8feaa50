import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type {
  ArrivedPing,
  EarlierPings,
  LockedCheck,
  PingOutcome,
  RecordedPings,
} from '../../../src/core/pings/arrived-ping.js'
import { MOST_CREATED } from '../../../src/core/pings/most-created.js'
import { Changes } from '../../../src/lib/changes.js'
import { arrivedPing } from '../arrived-ping.js'
import { pingStore } from '../ping-store.js'

export const NOW = 1_000_000

/** The most pings of one project that wait, of 10,000. */
export const MOST_OF_PROJECT = 5_001

/** A queue over a store in which the checks in `locked` are, by names of one letter; a ping's name begins with that of its check. */
export function lockedQueue(projectOf: (checkId: number) => number = () => 1) {
  const locked = new Set<string>()
  const uncreated = new Set<string>()
  /** The checks of which two pings at most are recorded in a batch, and none beside those of others. */
  const alerting = new Set<string>()
  const recorded: string[] = []
  const answers = new Map<string, PingOutcome | Error>()
  const clock = { now: NOW }
  const batches: string[][] = []
  const sizes: number[] = []
  const inLine: number[] = []
  let fail: (() => void) | null = null
  const needsMore = new Set<string>()
  let betweenTakes: (() => void) | null = null
  const record = async (pings: readonly ArrivedPing[], earlier: EarlierPings | null = null) => {
    await setImmediate()
    batches.push(pings.map(({ ua }) => ua))
    if (fail) {
      const work = fail
      fail = null
      work()
      throw new Error('the batch fails')
    }
    const result = { outcomes: [] as RecordedPings['outcomes'], errors: [], wakeAt: null, alerts: false }
    const puts = new Map<number, LockedCheck>()
    const large = new Set<number>()
    const created = new Set<string>()
    let alerted = 0
    for (const [place, { ua }] of pings.entries()) {
      const id = idOf(ua)
      // As the database, which puts off all pings of a check together.
      const isHeld = pings.some(one => one.ua[0] === ua[0] && needsMore.has(one.ua))
      const projectId = projectOf(id)
      const isNew = uncreated.has(ua[0]!)
      const isTooMuch = isNew && (earlier?.projects.includes(projectId) || created.size === MOST_CREATED)
      const alertsTooMuch = alerting.has(ua[0]!) && (earlier ? pings.length > 1 : ++alerted > 2)
      if (isTooMuch || alertsTooMuch) large.add(place)
      if (large.has(place) || locked.has(ua[0]!) || isHeld || earlier?.checks.includes(id))
        puts.set(place, { checkId: isNew ? null : id, projectId })
      else {
        recorded.push(ua)
        if (isNew) created.add(ua[0]!)
      }
      result.outcomes.push(puts.has(place) ? 'locked' : 'ok')
    }
    for (const name of created) uncreated.delete(name)
    return puts.size > 0 ? { ...result, locked: puts, large } : result
  }
  const isFree = async (checkId: number) => {
    await setImmediate()
    inLine.push(checkId)
    // As if it had waited long enough.
    if (locked.has(String.fromCharCode(checkId)))
      throw Object.assign(new Error('it is locked'), { code: '55P03' })
  }
  const { pings: methods } = pingStore(record, undefined, isFree)
  const recordInLine: typeof methods.recordInLine = (checkId, take) =>
    methods.recordInLine(checkId, () => {
      const first = take()
      if (!betweenTakes) return first
      betweenTakes()
      betweenTakes = null
      return take()
    })
  const store = { pings: { ...methods, recordInLine } }
  const repeatInLine = (between: () => void) => {
    betweenTakes = between
  }
  const queue = new PingQueue(store, new Changes(), assert.fail, size => sizes.push(size), {
    now: () => clock.now,
  })
  const send = (name: string, target?: ArrivedPing['target']) => {
    const answer = queue.record(ping(name, clock.now, target))
    answer.then(
      outcome => answers.set(name, outcome),
      error => answers.set(name, error),
    )
  }
  /** Sends the first ping of a new check. */
  const create = (name: string) => {
    uncreated.add(name)
    send(`${name}1`, { pingKey: 'key', slug: name, create: true })
  }
  const failOnce = (work: () => void) => {
    fail = work
  }
  return {
    queue,
    send,
    create,
    locked,
    uncreated,
    alerting,
    recorded,
    answers,
    clock,
    batches,
    sizes,
    inLine,
    needsMore,
    repeatInLine,
    failOnce,
  }
}

export function ping(
  name: string,
  at = NOW,
  target: ArrivedPing['target'] = { uuid: name[0]! },
): ArrivedPing {
  return arrivedPing(target, at, { ua: name })
}

/** The ID of the check of a ping with this name. */
export function idOf(name: string): number {
  return name.charCodeAt(0)
}
