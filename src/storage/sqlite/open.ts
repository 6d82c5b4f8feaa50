import type { ArrivedPing } from '../../core/pings/arrived-ping.js'
import type { StoreSettings } from '../db.js'
import type { Store } from '../store.js'
import { backup } from './backup.js'
import { migrateSqlite } from './migrate.js'
import { packPings } from './pings-wire.js'
import { Thread } from './thread.js'
import { commitsLostToDamage } from './wal-damage.js'
import type { WorkerData } from './worker.js'

export type OnDamage = (commitsLost: number) => void

/**
 * Quick looks that a running program takes all the time. The writing thread takes them, so that the reading one, which
 * costs 10 MB, starts only when somebody asks for more.
 */
const ASKED_ALL_THE_TIME: ReadonlySet<string> = new Set<keyof Store>([
  'nextWake',
  'dueChannels',
  'claimants',
  'hasUsers',
])

/**
 * Opens the embedded database: migrates it, then works in one thread that writes and one that reads, each started
 * when it is first needed. With `create: false` a file that does not exist is a `Refusal`; so is one
 * that a newer version has written. `onDamage` hears of commits that SQLite dropped, because the log of them was damaged.
 */
export async function openSqliteStore(
  file: string,
  settings: StoreSettings,
  options: { create: boolean; onDamage?: OnDamage | undefined },
): Promise<Store> {
  // Before anything opens the file, which drops what is damaged.
  const lost = options.onDamage ? commitsLostToDamage(`${file}-wal`) : 0
  migrateSqlite(file, options)
  if (lost > 0) options.onDamage?.(lost)
  const threads = new Map<WorkerData['role'], Thread>()
  let closed = false
  const threadFor = (role: WorkerData['role']) => {
    if (closed) throw Object.assign(new Error('the database is closed'), { code: 'GONE' })
    const known = threads.get(role)
    // One that broke is replaced for whoever asks next.
    const thread = known && !known.isBroken ? known : new Thread({ file, role, settings })
    threads.set(role, thread)
    return thread
  }
  // The threads know the methods: to load them here as well would cost memory and time at every start.
  let reading: ReadonlySet<string> | null = null
  const call = async (method: string, args: unknown[]) => {
    reading ??= await threadFor('write').reads()
    const sent = method === 'recordPings' ? [packPings(args[0] as ArrivedPing[])] : args
    const role = reading.has(method) && !ASKED_ALL_THE_TIME.has(method) ? 'read' : 'write'
    return await threadFor(role).call(method, sent)
  }
  const own = {
    backup: async (to: string) => backup(file, to),
    close: async () => {
      closed = true
      await Promise.all([...threads.values()].map(thread => thread.close()))
    },
  }
  const bound = new Map<string | symbol, unknown>(Object.entries(own))
  return new Proxy(own as Store, {
    get(_, name) {
      // A store that is awaited is no promise.
      if (typeof name === 'symbol' || name === 'then') return undefined
      if (!bound.has(name)) bound.set(name, (...args: unknown[]) => call(name, args))
      return bound.get(name)
    },
  })
}
