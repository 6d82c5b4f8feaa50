/**
 * Database threads that the stores of a process use one after another: starting one and loading its code takes 80 ms of
 * processor time, opening another database a few.
 */
import { EventEmitter } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { WorkerData } from '../../../src/storage/sqlite/serve-database.js'
import type { DatabaseWorker } from '../../../src/storage/sqlite/thread.js'

/** The threads that wait for a database. They do not keep the process running. */
const free: Worker[] = []

/** A thread for this database, which is free for the next one after it was told to close. */
export function borrowThread(data: WorkerData): DatabaseWorker {
  const worker = free.pop() ?? new Worker(new URL('./shared-thread.js', import.meta.url))
  worker.ref()
  const { port1: port, port2: theirs } = new MessageChannel()
  const events = new EventEmitter()
  const onError = (error: Error) => events.emit('error', error)
  const onExit = () => events.emit('exit')
  port.on('message', message => events.emit('message', message))
  worker.once('error', onError).once('exit', onExit)
  worker.once('message', () => {
    worker.off('error', onError).off('exit', onExit).unref()
    free.push(worker)
    events.emit('exit')
  })
  worker.postMessage({ port: theirs, data }, [theirs])
  return Object.assign(events, { postMessage: (message: unknown) => port.postMessage(message) })
}
