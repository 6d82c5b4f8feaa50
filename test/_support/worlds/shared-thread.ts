/** A thread that owns one connection after another; see shared-threads.ts. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { serveDatabase, type WorkerData } from '../../../src/storage/sqlite/serve-database.js'

parentPort!.on('message', ({ port, data }: { port: MessagePort; data: WorkerData }) => {
  port.once('close', () => parentPort!.postMessage('free'))
  serveDatabase(port, data)
})
