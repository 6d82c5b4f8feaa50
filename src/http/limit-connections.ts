import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'

/** Files that are left to the database, to what is sent and to mail that comes in, where a quarter of all is not fewer. */
const SPARE_FILES = 400

/**
 * How many files, and so connections, this process may have open; unlimited where the system does not say so.
 * Source: proc_pid_limits(5).
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
 * Keeps a server from using up the files of its process: the system would close further connections without a word. Those
 * beyond the limit are closed, and `onRefused` is called for each, since it may have brought a ping.
 */
export function limitConnections(server: Server, filesAllowed: number, onRefused: () => void): void {
  if (Number.isFinite(filesAllowed)) {
    server.maxConnections = filesAllowed - Math.min(SPARE_FILES, Math.ceil(filesAllowed / 4))
  }
  server.on('drop', onRefused)
  // What else keeps a connection from being accepted, such as too many files in the whole system.
  server.on('error', onRefused)
}
