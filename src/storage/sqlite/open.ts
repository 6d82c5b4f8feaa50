import { Refusal } from '../../core/errors.js'
import type { StoreSettings } from '../db.js'
import { reads, writes } from '../methods.js'
import { migrate } from '../migrate.js'
import type { Store } from '../store.js'
import { openDatabase } from './connection.js'
import { Thread } from './thread.js'

/**
 * Opens the embedded database: migrates it, then starts one thread that writes and one that reads. With
 * `create: false` a file that does not exist is a `Refusal`; so is one that a newer version has written.
 */
export async function openSqliteStore(
  file: string,
  settings: StoreSettings,
  options: { create: boolean },
): Promise<Store> {
  const database = open(file, options.create)
  try {
    migrate({
      engine: 'sqlite',
      version: () => database.pragma('user_version', { simple: true }) as number,
      apply: (sql, version) =>
        database.transaction(() => {
          database.exec(sql)
          database.pragma(`user_version = ${version}`)
        })(),
    })
  } finally {
    database.close()
  }
  const writer = new Thread({ file, role: 'write', settings })
  const reader = new Thread({ file, role: 'read', settings })
  await Promise.all([writer.ready(), reader.ready()])
  const bind = (thread: Thread, names: object) =>
    Object.fromEntries(
      Object.keys(names).map(name => [name, (...args: unknown[]) => thread.call(name, args)]),
    )
  const methods = { ...bind(reader, reads), ...bind(writer, writes) }
  return {
    ...methods,
    backup: async (to: string) => backup(file, to),
    close: async () => {
      await Promise.all([writer.close(), reader.close()])
    },
  } as Store
}

function open(file: string, create: boolean) {
  try {
    return openDatabase(file, { mustExist: !create })
  } catch (error) {
    if (create || !(error instanceof Error)) throw error
    throw new Refusal('not-found', `there is no database at ${file}: start it once with \`punctual serve\``)
  }
}

/** SQLite's online backup copies page by page and starts over when the file changes under it. */
async function backup(from: string, to: string): Promise<void> {
  const { existsSync } = await import('node:fs')
  if (existsSync(to)) throw new Refusal('conflict', `${to} exists already`)
  const database = openDatabase(from, { readonly: true, mustExist: true })
  try {
    // VACUUM INTO reads one snapshot, so a busy writer cannot make it start over for ever.
    database.prepare('VACUUM INTO ?').run(to)
  } finally {
    database.close()
  }
}
