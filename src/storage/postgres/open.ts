import { Refusal } from '../../core/errors.js'
import type { ArrivedPing, EarlierPings } from '../../core/pings/arrived-ping.js'
import { checkCreator } from '../checks/create/create-together.js'
import { create, createEach } from '../checks/create-checks.js'
import type { StoreSettings } from '../db.js'
import { eventActor, type Noun } from '../events/acting.js'
import { MOST_IN_LINE } from '../locks.js'
import { isWrite } from '../method.js'
import { methods } from '../nouns.js'
import { byNoun, finishesRequest, isForAlerts, isForPings, type MethodName, type Store } from '../store.js'
import { Turns } from '../turns.js'
import { lockedOnWorkers } from './citus/locked-on-workers.js'
import { watchNotice } from './citus/move-notice.js'
import { probePart, probePresent } from './citus/probe-part.js'
import type { Shards } from './citus/shards.js'
import { Workers } from './citus/workers.js'
import { ORDINARY } from './connection.js'
import { Connections } from './connections.js'
import { KnownChecks } from './known-checks.js'
import { migratePostgres, moveNoticeOf, requireTables, shardsOf } from './migrate.js'
import { pruner } from './prune-later.js'
import { recordInLine, recordPings } from './record-pings.js'
import { ReplacedConnections } from './replaced-connections.js'
import { type AnyMethod, type How, read, readWithoutSnapshot, write } from './transaction.js'

/**
 * The connections of one process. Reads and writes have their own, so that a long listing delays no ping. Pings and
 * alerts have their own too, so that no request delays them, however slow and many requests are.
 */
const PINGERS = 2
const FOR_ALERTS = { readers: 2, writers: 3 }
const FOR_REQUESTS = { readers: 4, writers: 3 }

/** Nobody's writes take all connections, so that a row that one caller waits for keeps no other waiting. */
const WRITES = { inAll: FOR_REQUESTS.writers, perKey: FOR_REQUESTS.writers - 1 }

/** Senders of pings wait ten seconds (docs/pinging.md), so they get an answer before that. */
const PING_TIMEOUTS = { connectMs: 3_000, statementMs: 8_000, transactionMs: 8_000 }

function workersOf(url: string, shards: Shards, known: KnownChecks): Workers {
  const refresh = async () => {
    const later = await shardsOf(url)
    if (later) shards.update(later)
  }
  return new Workers({ url, shards, connections: PINGERS, timeouts: PING_TIMEOUTS, known, refresh })
}

/** How methods that read are run. */
const RUN = { read, longRead: read, readWithoutSnapshot, poll: read }

/**
 * Opens the PostgreSQL database at `url` and migrates it. With `create: false`, throws a `Refusal` if it has no
 * tables; always if a newer version has migrated it. Rejects with `ConnectionLost` if it cannot be reached. `onMove` is called when the
 * store has to be closed and opened anew, because its tables move; without it they cannot move before it is closed.
 */
export async function openPostgresStore(
  url: string,
  settings: StoreSettings,
  options: { create: boolean; onMove?: () => void },
): Promise<Store> {
  if (!options.create) await requireTables(url)
  // Before the migrations, for which a start waits while tables move.
  const notice = options.onMove ? await moveNoticeOf(url) : null
  await migratePostgres(url)
  const shards = await shardsOf(url)
  const known = new KnownChecks()
  const workers = shards && workersOf(url, shards, known)
  const replaced = new ReplacedConnections<object>()
  const open = (count: number, keepsPlansOfReads: boolean) =>
    new Connections(url, count, ORDINARY, undefined, keepsPlansOfReads, workers, replaced)
  const [readers, writers] = [open(FOR_REQUESTS.readers, true), open(FOR_REQUESTS.writers, false)]
  const [alertReaders, alertWriters] = [open(FOR_ALERTS.readers, true), open(FOR_ALERTS.writers, false)]
  const openForPings = (count: number) =>
    new Connections(url, count, PING_TIMEOUTS, known, false, workers, replaced)
  const [pingers, inLine] = [openForPings(PINGERS), openForPings(MOST_IN_LINE)]
  const endWatch = options.onMove && watchNotice(readers, notice, options.onMove)
  const running = new Set<Promise<unknown>>()
  let closing: Promise<unknown> | null = null
  const watched = <R>(result: Promise<R>) => {
    running.add(result)
    const done = () => running.delete(result)
    result.then(done, done)
    return result
  }
  const recording = {
    connections: pingers,
    known,
    settings,
    ...(workers && { workers }),
    prune: pruner(writers, settings, workers?.shards ?? null, watched),
  }
  const record = (...asked: [pings: ArrivedPing[], earlier?: EarlierPings | null]) =>
    watched(recordPings(recording, ...asked))
  const recordTaken = async (take: () => ArrivedPing[]) => await record(take())
  const recordNext = (...asked: [checkId: number, take: () => readonly ArrivedPing[]]) =>
    watched(recordInLine(recording, inLine, ...asked))
  const written = <R>(method: unknown, args: unknown[], how: How = {}) =>
    write(writers, settings, method as AnyMethod, args, how) as Promise<R>
  // A creation locks its project's count until it is on disk.
  const creator = checkCreator({
    create: (projectId, asked, requireAccess) =>
      written(create, [projectId, asked], { actor: asked.actor, requireAccess }),
    // Each request says who asks.
    createEach: (...asked) => written(createEach, asked),
    underWay: 1,
  })
  const createCheck = function (this: Noun | undefined, ...asked: Parameters<typeof creator>) {
    return watched(creator.apply(this, asked))
  }
  const probeDistributed = (now: number, part?: string) =>
    watched(
      part === undefined
        ? probePresent(pingers, workers!, settings, now)
        : probePart(workers!, settings, part, now),
    )
  const kinds = [...methods].map(([name, { kind }]) => [name as MethodName, kind] as const)
  const nouns = byNoun(
    kinds,
    (name, kind) => {
      if (name === 'pings.record') return record
      if (name === 'pings.recordLarge') return recordTaken
      if (name === 'pings.recordInLine') return recordNext
      if (name === 'checks.create') return createCheck
      if (name === 'pings.probe' && workers) return probeDistributed
      if (name === 'pings.lockedChecks' && workers)
        return (ids: readonly number[]) => watched(lockedOnWorkers(workers, ids))
      const method = methods.get(name) as unknown as AnyMethod
      const [readersOf, writersOf] = isForAlerts(name) ? [alertReaders, alertWriters] : [readers, writers]
      const connections = isForPings(name) ? pingers : isWrite(kind) ? writersOf : readersOf
      const { lockWaitMs } = methods.get(name)!
      const locally = lockWaitMs === undefined ? {} : { locally: { lock_timeout: lockWaitMs } }
      return function (this: Noun | undefined, ...args: unknown[]) {
        const context = [connections, settings, method, args] as const
        if (!isWrite(kind)) return watched(RUN[kind](...context))
        const requireAccess = finishesRequest(name) ? undefined : this?.requireAccess
        return watched(write(...context, { actor: eventActor(this), requireAccess, ...locally }))
      }
    },
    new Turns(WRITES),
  )
  return {
    ...nouns,
    backup: async () => {
      throw new Refusal('invalid', 'a PostgreSQL database is backed up with its own tools, such as pg_dump')
    },
    close: async () => {
      closing ??= Promise.allSettled([endWatch?.(), inLine.abandon(), ...running]).then(() =>
        Promise.all(
          [readers, writers, alertReaders, alertWriters, pingers, ...(workers ? [workers] : [])].map(one =>
            one.close(),
          ),
        ),
      )
      await closing
    },
  }
}
