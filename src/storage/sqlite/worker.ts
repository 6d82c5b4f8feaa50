/** The thread that owns a connection. */
import { parentPort, workerData } from 'node:worker_threads'
import { serveDatabase } from './serve-database.js'

serveDatabase(parentPort!, workerData)
