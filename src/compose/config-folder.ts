import { applyFolder } from '../actions/projects/config/apply-folder.js'
import { type Config, fileVariables } from '../config.js'
import { createTransports, type ProcessTransports } from '../integrations/create-transports.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../lib/log/log.js'
import type { Store } from '../storage/store.js'

/** Applies the files in CONFIG_DIR at the start, and again at each SIGHUP; null if there is no such folder. Decision 0133. */
export function createConfigFolder(
  config: Config,
  parts: {
    store: Store
    clock: Clock
    transports: ProcessTransports
    log: Log
    onError: (error: unknown) => void
  },
) {
  const { CONFIG_DIR: folder, SITE_ROOT: siteRoot } = config
  if (folder === null) return null
  const { store, clock, transports, log, onError } = parts
  const operator = { ...config.operator, EMAIL_HOST: transports.mailer ? 'set' : '' }
  const deps = {
    store,
    clock,
    operator,
    siteRoot,
    variables: fileVariables(config),
    transports: (signal: AbortSignal) => createTransports(transports, signal),
  }
  let applying = Promise.resolve()
  let isStopping = false

  async function apply(): Promise<void> {
    if (isStopping) return
    const results = await applyFolder(deps, folder!)
    for (const { file, changed, left, problems } of results) {
      for (const problem of problems) log.error('a file of CONFIG_DIR was not applied', { file, problem })
      if (left.length > 0) log.warn('a file of CONFIG_DIR no longer has what it made', { file, left })
      if (problems.length === 0) log.info('a file of CONFIG_DIR was applied', { file, changed })
    }
    if (results.length === 0) log.warn('CONFIG_DIR has no files of configuration', { folder })
  }

  const begin = () => {
    applying = applying.then(apply).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined) return onError(error)
      log.error('CONFIG_DIR cannot be read', { folder, reason: error.message })
    })
  }

  return {
    start() {
      process.on('SIGHUP', begin)
      begin()
    },
    /** Resolves when the file under way is applied. */
    async stop() {
      isStopping = true
      process.off('SIGHUP', begin)
      await applying
    },
  }
}
