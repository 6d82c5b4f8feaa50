import type { StoreSettings } from '../../src/storage/db.js'

/** The program's own settings, except that no log is pruned during a measurement. */
export const benchSettings: StoreSettings = {
  siteRoot: 'http://localhost:8000',
  pingEndpoint: 'http://localhost:8000/ping/',
  pingLogLimit: 1_000_000_000,
  checkLimit: 1_000_000_000,
  outageHoldMs: 600_000,
  objectStorage: false,
  shownSettings: {},
}
