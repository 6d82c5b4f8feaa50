import type { ArrivedPing, EarlierPings } from '../../core/pings/arrived-ping.js'
import { checkCreator } from '../checks/create/create-together.js'
import type { StoreSettings } from '../db.js'
import { eventActor, type Noun } from '../events/acting.js'
import { isWrite, type Kind } from '../method.js'
import { byNoun, finishesRequest, isForAlerts, isForPings, type MethodName, type Store } from '../store.js'
import { Turns } from '../turns.js'
import { backup } from './backup.js'
import { migrateSqlite } from './migrate.js'
import { packPings } from './pings-wire.js'
import { type CallOptions, type StartWorker, startWorker, Thread } from './thread.js'
import { commitsLostToDamage } from './wal-damage.js'

/**
 * How long (ms) the calls of requests in a batch should take, at most one call more: pings and alerts, of which a batch has all that wait, should not wait
 * for many others. A commit takes a few ms, so that those of the writing thread share it still.
 */
const BATCH_MS = 20

/**
 * As many writes of one caller as share a commit well. With sixty at once, each turn of the event loop answered sixty requests, and an alert
 * takes several turns.
 */
const WRITES = { inAll: Number.POSITIVE_INFINITY, perKey: 16 }

export type OnDamage = (commitsLost: number) => void

/**
 * What a thread does. Long reads have one of their own while other reads come, so that alerts and pages do not wait for them; alerts have
 * one of their own once a read has taken {@link LONG_MS}, and read with the writing thread until it has started.
 */
type Use = 'write' | 'read' | 'read beside long ones' | 'read for alerts'

/** The threads whose reads alerts may have to wait for. */
const READING: readonly Use[] = ['read', 'read beside long ones']

/** How long (ms) alerts may wait for a read of a request. A thread takes 10 MB, which installations with few checks never need. */
const LONG_MS = 100

/**
 * Opens the embedded database: migrates it, then uses one thread for writing and one to three for reading, which are started on
 * demand. `start` starts a thread. With `create: false`, throws a `Refusal` if the file does not exist; always if a newer
 * version has migrated it. `onDamage` is called if SQLite dropped commits because the write-ahead log was damaged; `busyMs`: see {@link migrateSqlite}.
 */
export async function openSqliteStore(
  file: string,
  settings: StoreSettings,
  options: { create: boolean; onDamage?: OnDamage | undefined; busyMs?: number | undefined },
  start: StartWorker = startWorker,
): Promise<Store> {
  // Before anything opens the file, because opening it discards damaged parts.
  const lost = options.onDamage ? commitsLostToDamage(`${file}-wal`) : 0
  migrateSqlite(file, options)
  if (lost > 0) options.onDamage?.(lost)
  const threads = new Map<Use, Thread>()
  let closed = false
  const threadFor = (use: Use) => {
    if (closed) throw Object.assign(new Error('the database is closed'), { code: 'GONE' })
    const known = threads.get(use)
    // A broken thread is replaced at the next call.
    const role = use === 'write' ? 'write' : 'read'
    const thread = known && !known.isBroken ? known : new Thread(start({ file, role, settings }), BATCH_MS)
    threads.set(use, thread)
    return thread
  }
  let longReads = 0
  const readLong = async (name: MethodName, args: unknown[]) => {
    longReads++
    try {
      return await threadFor('read').call(name, args)
    } finally {
      longReads--
    }
  }
  const useFor = (kind: Kind, first: boolean): Use => {
    if (kind === 'poll') return 'write'
    if (first && READING.some(use => (threads.get(use)?.longestMs ?? 0) >= LONG_MS)) {
      return threadFor('read for alerts').isReady ? 'read for alerts' : 'write'
    }
    return longReads > 0 ? 'read beside long ones' : 'read'
  }
  const written = <R>(name: MethodName, args: unknown[], options?: CallOptions) =>
    threadFor('write').call(name, args, options) as Promise<R>
  const record = async (pings: ArrivedPing[], ...earlier: (EarlierPings | null)[]) =>
    await threadFor('write').call('pings.record', [packPings(pings), ...earlier], { first: true })
  const recordTaken = async (take: () => ArrivedPing[]) => await record(take())
  const creator = checkCreator({
    create: async (projectId, asked, requireAccess) =>
      await written('checks.create', [projectId, asked], { actor: asked.actor, requireAccess }),
    // Each request says who asks.
    createEach: async (...asked) => await written('checks.createEach', asked),
    underWay: Number.POSITIVE_INFINITY,
  })
  // The threads know the methods; loading them here too would take memory and time at every start.
  const nouns = byNoun(
    await threadFor('write').methods(),
    (name, kind) => {
      if (name === 'checks.create') return creator
      if (name === 'pings.record') return record
      if (name === 'pings.recordLarge') return recordTaken
      // One process writes at a time, so that nobody has locked a check.
      if (name === 'pings.recordInLine')
        return async (_checkId: number, take: () => ArrivedPing[]) => await recordTaken(take)
      if (kind === 'longRead') return async (...args: unknown[]) => await readLong(name, args)
      return async function (this: Noun | undefined, ...args: unknown[]) {
        const first = isForAlerts(name) || isForPings(name)
        if (!isWrite(kind)) return await threadFor(useFor(kind, first)).call(name, args, { first })
        const requireAccess = finishesRequest(name) ? undefined : this?.requireAccess
        return await written(name, args, { actor: eventActor(this), first, requireAccess })
      }
    },
    new Turns(WRITES),
  )
  return {
    ...nouns,
    backup: async to => backup(file, to),
    close: async () => {
      closed = true
      await Promise.all([...threads.values()].map(thread => thread.close()))
    },
  }
}
