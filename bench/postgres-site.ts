import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import type { Options } from './options.js'
import type { Seed } from './seed.js'
import { openSite, type Site } from './site.js'

/** A site on the PostgreSQL database at `url`, into which a filled SQLite database is copied. */
export async function openPostgresSite(options: Options, url: string, what: Seed): Promise<Site> {
  const settings = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex') }
  return await openSite(options, what, folder => {
    const args = ['copy', '--from', `sqlite:${join(folder, 'punctual.db')}`, '--to', url]
    const copied = spawnSync(process.execPath, [join(packageRoot, 'dist/main.js'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: folder, ...settings },
    })
    if (copied.status !== 0) throw new Error(`the copy failed: ${copied.stderr}`)
    return settings
  })
}
