/** A database that Healthchecks 3.13 made over 70 simulated days, reduced, and the secrets of that installation. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { packageRoot } from '../../src/lib/package-root.js'
import { tempFolder } from './worlds/store.js'

export const healthchecks = {
  secretKey: 'peer-secret-key-not-for-production',
  alice: { email: 'alice@example.org', password: 'alice-password' },
  bob: {
    email: 'bob@example.org',
    password: 'bob-password',
    totp: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    username: '4bad13b3-d8b2-4255-a5c0-1144bc',
  },
  production: {
    uuid: '5f9783b6-584f-4466-827e-8f29849700d2',
    key: 'hcw_S5pzvJ3501G4hMy5pa06KBovRxrL',
    readOnlyKey: 'hcr_GXWKFMDLxroxPu9c4iZU6LfFJWcr',
    pingKey: 'zr1skmrpgjoy6mpebtmzya',
    badgeKey: '5f9783b6-584f-4466-827e-8f29849700d2',
  },
  unnamed: {
    uuid: '541cb51f-0c3b-4b32-9833-ecf42670f8f6',
    key: 'oldstyleplainkey0123456789abcdef',
    pingKey: 'Old-Style_PingKey12345',
    badgeKey: 'old-badge-user',
  },
} as const

/** The database as a file of the test's own. */
export async function healthchecksFile(t: TestContext): Promise<string> {
  const file = join(await tempFolder(t), 'hc.sqlite')
  await writeFile(file, gunzipSync(await readFile(join(packageRoot, 'test/vectors/healthchecks.sqlite.gz'))))
  return file
}
