import { EventEmitter, once } from 'node:events'
import { type Command, Option } from 'commander'
import type { Punctual, Role } from '../../compose.js'
import type { Config } from '../../config.js'
import { Refusal } from '../../core/errors.js'
import { collectGarbage } from '../../lib/collect-garbage.js'
import type { Log } from '../../lib/log/log.js'
import { packageVersion } from '../../lib/package-root.js'
import type { Store } from '../../storage/store.js'
import { greet, invite } from './greet.js'
import { waitForDatabase } from './wait-for-database.js'

export function addServe(parent: Command): void {
  parent
    .command('serve')
    .description('Run the server: record pings, watch deadlines, send alerts; stops on SIGTERM or SIGINT')
    .addOption(
      new Option(
        '--role <role>',
        'web: record pings and serve requests; worker: watch deadlines and send alerts; default: both',
      ).choices(['web', 'worker']),
    )
    .action(serve)
}

/** All modules that a start needs are loaded by this time. */
const LOADED_AFTER_MS = 1_000

async function serve({ role }: { role?: Role }): Promise<void> {
  const [{ readConfig, withSecretKey }, { compose }] = await Promise.all([
    import('../read-config.js'),
    import('../../compose.js'),
  ])
  const config = withSecretKey(await readConfig())
  const log = await createServerLog(config)
  const stopping = stopSignal(log)
  let isMoving: boolean
  do {
    isMoving = false
    const moves = new EventEmitter()
    const moving = once(moves, 'move').then(() => {
      isMoving = true
      log.info('the tables of the database move: stopping until that is done')
    })
    const open = () => compose(config, log, role && new Set([role]), () => moves.emit('move'))
    const punctual = await waitForDatabase(open, log, stopping)
    if (punctual) await run(punctual, config, log, Promise.race([stopping, moving]), role)
  } while (isMoving)
  log.info('stopped')
  // Handles that a library left open must not keep the process running.
  process.exit(0)
}

/** Serves until `stopping` resolves. */
async function run(
  punctual: Punctual,
  config: Config,
  log: Log,
  stopping: Promise<void>,
  role: Role | undefined,
): Promise<void> {
  const starting = punctual.start().catch(error => {
    throw explainListenError(error, config)
  })
  // A start waits while the database is full, locked or out of reach.
  const started = await Promise.race([starting, stopping.then(() => null)])
  if (!started) return await punctual.stop()
  const { url, port, smtpPort } = started
  const listening = port === null ? { role } : { url, host: config.HOST, port }
  const mail = smtpPort === null ? {} : { smtpPort }
  const { databaseEngine } = await import('../../compose/store.js')
  const versions = {
    version: packageVersion,
    node: process.versions.node,
    database: await databaseEngine(config),
  }
  log.info('serving', { ...listening, ...mail, ...versions })
  // Only after listening: a failed start must not count as the first run.
  if (port !== null) {
    await prepareFirstRun(config, punctual.store).catch(error =>
      log.error('the first project or the first link could not be created; the next start tries again', {
        error,
      }),
    )
  }
  setTimeout(collectGarbage, LOADED_AFTER_MS).unref()
  await stopping
  await punctual.stop()
}

/** Creates the first project in a new installation, and prints the sign-up link while there is no account. */
async function prepareFirstRun(config: Config, store: Store): Promise<void> {
  const [{ createFirstProject }, { offerFirstAccount }, { systemClock }] = await Promise.all([
    import('../../actions/people/create-first-project.js'),
    import('../../actions/people/offer-first-account.js'),
    import('../../lib/clock.js'),
  ])
  const begun = await createFirstProject(store, systemClock)
  if (begun) greet(config, begun)
  const first = await offerFirstAccount(store, systemClock)
  if (first) invite(config, first.path)
}

async function createServerLog(config: Config): Promise<Log> {
  const [{ secretsOf }, { createLog }, { LogOutput }, { operatorSettings }] = await Promise.all([
    import('../../config.js'),
    import('../../lib/log/log.js'),
    import('../../lib/log/log-output.js'),
    import('../../integrations/index.js'),
  ])
  const output = new LogOutput(process.stderr, lines => log.error('lines of the log were lost', { lines }))
  // A server goes on without readers of what it prints.
  process.stdout.removeAllListeners('error').on('error', () => {})
  const log: Log = createLog({
    format: config.LOG_FORMAT,
    level: config.LOG_LEVEL,
    secrets: secretsOf(config, operatorSettings),
    write: line => output.write(line),
  })
  // An uncaught error leaves the process in an unknown state: exit, and let the supervisor restart it.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, error => {
      log.error('unexpected error, ending', { error })
      process.exit(1)
    })
  }
  return log
}

function explainListenError(error: unknown, config: Config): unknown {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  const prefix = (['SMTPD_', 'METRICS_'] as const).find(
    name => port !== undefined && config[`${name}PORT`] === port && config.PORT !== port,
  )
  const [wanted, host] =
    prefix === undefined ? [config.PORT, config.HOST] : [config[`${prefix}PORT`], config[`${prefix}HOST`]]
  if (code === 'EADDRINUSE') {
    return new Refusal('conflict', `port ${wanted} is in use: set ${prefix ?? ''}PORT to another one`)
  }
  if (code === 'EACCES') return new Refusal('forbidden', `listening on port ${wanted} is not permitted`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAFNOSUPPORT') {
    return new Refusal('invalid', `${prefix ?? ''}HOST is ${host}, which is not an address of this machine`)
  }
  return error
}

/** A second signal within this time is a duplicate: npm forwards signals that the terminal has already sent to all. */
const DUPLICATE_SIGNAL_MS = 1_000

/** Resolves on the first signal to stop. A later signal ends the process immediately. */
function stopSignal(log: Log): Promise<void> {
  return new Promise(resolve => {
    let firstSignalAt: number | null = null
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (firstSignalAt !== null && Date.now() - firstSignalAt > DUPLICATE_SIGNAL_MS) process.exit(1)
        if (firstSignalAt !== null) return
        firstSignalAt = Date.now()
        log.info('stopping', { signal })
        resolve()
      })
    }
  })
}
