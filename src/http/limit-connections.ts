import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'

/**
 * The number of files reserved for the database, outgoing connections and incoming mail, unless a quarter of all is
 * fewer.
 */
const SPARE_FILES = 400

/**
 * How many files, and so connections, this process may have open; infinite if the system does not say. Source:
 * proc_pid_limits(5).
 */
export function openFilesAllowed(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Keeps a server from using up the files of its process, after which the system would silently refuse connections.
 * Connections beyond the limit are closed, and `onRefused` is called for each, because it may have carried a ping.
 */
export function limitConnections(server: Server, filesAllowed: number, onRefused: () => void): void {
  if (Number.isFinite(filesAllowed)) {
    server.maxConnections = filesAllowed - Math.min(SPARE_FILES, Math.ceil(filesAllowed / 4))
  }
  server.on('drop', onRefused)
  // Other reasons why a connection is not accepted, such as too many open files in the whole system.
  server.on('error', onRefused)
}
