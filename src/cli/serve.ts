import type { Command } from 'commander'
import type { Config } from '../config.js'
import { Refusal } from '../core/errors.js'
import type { Log } from '../lib/log.js'
import { greet } from './greet.js'

/** The part of the composed server that this command drives. */
interface Server {
  start(): Promise<{ url: string }>
  stop(): Promise<void>
}

export function addServe(parent: Command): void {
  parent
    .command('serve')
    .description('Take pings, notice silence, send alerts: run until SIGTERM or SIGINT')
    .action(serve)
}

async function serve(): Promise<void> {
  const [{ readConfigWithKey }, { secretsOf }, { createLog }, { compose }] = await Promise.all([
    import('./read-config.js'),
    import('../config.js'),
    import('../lib/log.js'),
    import('../compose.js'),
  ])
  const config = await readConfigWithKey()
  const log = createLog({ format: config.LOG_FORMAT, level: config.LOG_LEVEL, secrets: secretsOf(config) })
  await greetOnFirstRun(config)
  const server: Server = await compose(config, log)
  const { url } = await server.start().catch(error => {
    throw explained(error, config)
  })
  log.info('serving', { url, pid: process.pid })
  await stopSignal(log)
  await server.stop()
  log.info('stopped')
  // Whatever a library left open must not keep the process.
  process.exit(0)
}

/** Makes the database if there is none, and on the first run something to begin with. */
async function greetOnFirstRun(config: Config): Promise<void> {
  const [{ openSqliteStore }, { databaseFile, storeSettings }, { firstRun }, { systemClock }] =
    await Promise.all([
      import('../storage/sqlite/open.js'),
      import('./store-settings.js'),
      import('../actions/first-run.js'),
      import('../lib/clock.js'),
    ])
  const store = await openSqliteStore(databaseFile(config), storeSettings(config), { create: true })
  try {
    const made = await firstRun(store, systemClock)
    if (made) greet(config, made)
  } finally {
    await store.close()
  }
}

function explained(error: unknown, { HOST, PORT }: Config): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new Refusal('conflict', `port ${PORT} is in use: set PORT to another one`)
  if (code === 'EACCES') return new Refusal('forbidden', `listening on port ${PORT} is not permitted`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAFNOSUPPORT') {
    return new Refusal('invalid', `HOST is ${HOST}, which is no address of this machine`)
  }
  return error
}

/** Resolves at the first signal to stop; at a second one the process ends at once. */
function stopSignal(log: Log): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        log.info('stopping', { signal })
        resolve()
      })
    }
  })
}
