/**
 * What a thread that owns a connection does. It gets messages in batches. The writing thread runs a batch as one
 * transaction, with a savepoint per message, and answers after the commit (group commit), unless all messages only read.
 */
import type { MessagePort } from 'node:worker_threads'
import type { Db, StoreSettings } from '../db.js'
import { toWire } from '../errors.js'
import { Kept } from '../kept.js'
import { isWrite } from '../method.js'
import { methods } from '../nouns.js'
import type { Message, Outcome, Piece, Reply } from '../store.js'
import { CheckCache } from './check-cache.js'
import { openDatabase } from './connection.js'
import { inPlace } from './in-place.js'
import { type PingsOnWire, unpackPings } from './pings-wire.js'
import { dbOf } from './queries.js'

/** The data that the thread is started with. */
export interface WorkerData {
  file: string
  role: 'read' | 'write'
  settings: StoreSettings
}

type AnyMethod = (db: Db, ...args: unknown[]) => Promise<unknown>

/**
 * How long (ms) to wait for another process's lock: a ping behind another batch waits twice as long, and its
 * sender needs an answer in time.
 */
const BUSY_MS = 3_000

/**
 * Opens the database, sends the names and kinds of the methods to `port`, and then answers its messages until it is told
 * to close. Throws if the database cannot be opened.
 */
export function serveDatabase(port: MessagePort, { file, role, settings }: WorkerData): void {
  const database = openDatabase(file, { readonly: role === 'read', mustExist: true, busyMs: BUSY_MS })
  const assertInPlace = inPlace(file)
  const cache = new CheckCache(database)
  const db = dbOf(database, settings, cache)
  if (role === 'read') db.kept = new Kept()
  const onlyReads = ({ method }: Message) => !isWrite(methods.get(method)?.kind)

  const statement = (text: string) => database.prepare(text)
  const beginRead = statement('BEGIN')
  const beginWrite = statement('BEGIN IMMEDIATE')
  const commit = statement('COMMIT')
  const rollback = statement('ROLLBACK')
  const savepoint = statement('SAVEPOINT message')
  const release = statement('RELEASE message')
  const rollbackTo = statement('ROLLBACK TO message')

  port.on('message', async (messages: Message[] | 'close') => {
    if (messages === 'close') {
      database.close()
      port.close()
      return
    }
    const replies = messages.every(onlyReads) ? await runReads(messages) : await runWrites(messages)
    const transfer = replies.flatMap(reply =>
      'value' in reply && reply.value instanceof Uint8Array && ownsBuffer(reply.value)
        ? [reply.value.buffer as ArrayBuffer]
        : [],
    )
    port.postMessage(replies, transfer)
  })
  port.postMessage(new Map([...methods].map(([name, { kind }]) => [name, kind])))

  async function runWrites(messages: Message[]): Promise<Reply[]> {
    try {
      beginWrite.run()
      assertInPlace()
      cache.begin()
      const replies: Reply[] = []
      for (const message of messages) {
        // A message alone in its transaction needs no savepoint, which would copy each page before it is changed.
        const reply = messages.length === 1 ? await answer(message) : await runInSavepoint(message)
        if ((message.method !== 'pings.record' && !onlyReads(message)) || 'error' in reply) cache.clear()
        replies.push(reply)
      }
      const failedAlone = messages.length === 1 && 'error' in replies[0]!
      if (!failedAlone) commit.run()
      else if (database.inTransaction) rollback.run()
      return replies
    } catch (error) {
      cache.clear()
      if (database.inTransaction) rollback.run()
      return messages.map(({ id }) => ({ id, ms: 0, error: toWire(error) }))
    }
  }

  async function runInSavepoint(message: Message): Promise<Reply> {
    savepoint.run()
    const reply = await answer(message)
    if ('error' in reply) {
      // On a full disk or a broken file, SQLite has already rolled back everything: then the whole batch fails.
      if (!database.inTransaction)
        throw Object.assign(new Error(reply.error.message), { code: reply.error.code })
      rollbackTo.run()
    }
    release.run()
    return reply
  }

  async function runReads(messages: Message[]): Promise<Reply[]> {
    const replies: Reply[] = []
    for (const message of messages) {
      beginRead.run()
      replies.push(await answer(message))
      // If the file cannot be read, SQLite has already ended the transaction.
      if (database.inTransaction) commit.run()
    }
    return replies
  }

  /** The other thread gets it while this one goes on. */
  function sendPiece(piece: Piece): void {
    port.postMessage(piece, [piece.piece.buffer as ArrayBuffer])
  }

  async function answer(message: Message): Promise<Reply> {
    const begunAt = performance.now()
    const outcome = await outcomeOf(message)
    return { id: message.id, ms: performance.now() - begunAt, ...outcome }
  }

  async function outcomeOf({ id, method, args, actor, inPieces }: Message): Promise<Outcome> {
    try {
      const found = methods.get(method) as AnyMethod | undefined
      if (!found) throw new Error(`the ${role} thread has no method ${method}`)
      // Whether the database answers; what else only reads goes on.
      if (method === 'instance.probe') assertInPlace()
      db.actor = actor
      const given =
        method === 'pings.record' ? [unpackPings(args[0] as PingsOnWire), ...args.slice(1)] : [...args]
      if (inPieces) given.push((piece: Uint8Array) => sendPiece({ id, piece }))
      return { value: await found(db, ...given) }
    } catch (error) {
      return { error: toWire(error) }
    }
  }
}

/** Whether the bytes have a buffer of their own: small ones share Node's pool and cannot be transferred. */
function ownsBuffer(bytes: Uint8Array): boolean {
  return bytes.byteLength === bytes.buffer.byteLength
}
