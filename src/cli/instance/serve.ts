import { type Command, Option } from 'commander'
import type { Punctual, Role } from '../../compose.js'
import type { Config } from '../../config.js'
import { Refusal } from '../../core/errors.js'
import { collectGarbage } from '../../lib/collect-garbage.js'
import type { Log } from '../../lib/log/log.js'
import { packageVersion } from '../../lib/package-root.js'
import type { Store } from '../../storage/store.js'
import { greet, invite } from './greet.js'
import { whenThere } from './when-there.js'

export function addServe(parent: Command): void {
  parent
    .command('serve')
    .description('Take pings, notice silence, send alerts: run until SIGTERM or SIGINT')
    .addOption(
      new Option(
        '--role <role>',
        'web: answer pings and requests; worker: notice silence and send alerts; without it, both',
      ).choices(['web', 'worker']),
    )
    .action(serve)
}

/** After this time at the latest all is loaded that a start loads. */
const SETTLED_MS = 1_000

async function serve({ role }: { role?: Role }): Promise<void> {
  const [{ readConfig, withSecretKey }, { compose }] = await Promise.all([
    import('../read-config.js'),
    import('../../compose.js'),
  ])
  const config = withSecretKey(await readConfig())
  const log = await logOf(config)
  const stopping = stopSignal(log)
  const composed = () => compose(config, log, role && new Set([role]))
  const punctual = config.DATABASE_URL === '' ? await composed() : await whenThere(composed, log, stopping)
  if (punctual) await run(punctual, config, log, stopping, role)
  log.info('stopped')
  // Whatever a library left open must not keep the process.
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
  const { url, port, smtpPort } = await punctual.start().catch(error => {
    throw explained(error, config)
  })
  const listening = port === null ? { role } : { url, host: config.HOST, port }
  const mail = smtpPort === null ? {} : { smtpPort }
  const { databaseEngine } = await import('../../compose/store.js')
  const versions = {
    version: packageVersion,
    node: process.versions.node,
    database: await databaseEngine(config),
  }
  log.info('serving', { ...listening, ...mail, ...versions })
  // Not before it listens: a start that fails must not use up the first run.
  if (port !== null) {
    await begin(config, punctual.store).catch(error =>
      log.error('the first project or the first link was not made: it is tried again at the next start', {
        error,
      }),
    )
  }
  setTimeout(collectGarbage, SETTLED_MS).unref()
  await stopping
  await punctual.stop()
}

/** Makes what a new installation begins with, and says where people begin while nobody has an account. */
async function begin(config: Config, store: Store): Promise<void> {
  const [{ firstRun }, { offerFirstAccount }, { systemClock }] = await Promise.all([
    import('../../actions/people/first-run.js'),
    import('../../actions/people/offer-first-account.js'),
    import('../../lib/clock.js'),
  ])
  const begun = await firstRun(store, systemClock)
  if (begun) greet(config, begun)
  const first = await offerFirstAccount(store, systemClock)
  if (first) invite(config, first.path)
}

async function logOf(config: Config): Promise<Log> {
  const [{ secretsOf }, { createLog }, { operatorSettings }] = await Promise.all([
    import('../../config.js'),
    import('../../lib/log/log.js'),
    import('../../integrations/index.js'),
  ])
  const log = createLog({
    format: config.LOG_FORMAT,
    level: config.LOG_LEVEL,
    secrets: secretsOf(config, operatorSettings),
  })
  // A bug that nothing caught leaves the process in a state that nobody knows: the supervisor starts another.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, error => {
      log.error('unexpected error, ending', { error })
      process.exit(1)
    })
  }
  return log
}

function explained(error: unknown, config: Config): unknown {
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
    return new Refusal('invalid', `${prefix ?? ''}HOST is ${host}, which is no address of this machine`)
  }
  return error
}

/** Within this time a second signal is the same wish: npm passes on what the terminal has sent to all already. */
const SAME_WISH_MS = 1_000

/** Resolves at the first signal to stop; at a later one the process ends at once. */
function stopSignal(log: Log): Promise<void> {
  return new Promise(resolve => {
    let askedAt: number | null = null
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (askedAt !== null && Date.now() - askedAt > SAME_WISH_MS) process.exit(1)
        if (askedAt !== null) return
        askedAt = Date.now()
        log.info('stopping', { signal })
        resolve()
      })
    }
  })
}
