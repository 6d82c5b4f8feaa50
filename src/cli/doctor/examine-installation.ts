/** The examinations of `punctual doctor`. Each goes on where the one before has failed, as far as it can. */
import { requestCanary } from '../../actions/instance/request-canary.js'
import { mailerOptions } from '../../compose/delivery.js'
import { databaseEngine, openStore } from '../../compose/store.js'
import type { Config } from '../../config.js'
import { isReachableAddress } from '../../lib/http/reachable-address.js'
import { createSafeFetch } from '../../lib/http/safe-fetch.js'
import { examineMailServer } from '../../lib/mail/mailer.js'
import { packageVersion } from '../../lib/package-root.js'
import { secretKeysOf } from '../../lib/secrets/secret-key.js'
import { ConfigError } from '../../lib/settings.js'
import type { Channel } from '../../storage/channels/channels.js'
import type { Store } from '../../storage/store.js'
import { readConfig, withSecretKey } from '../read-config.js'
import { type DoctorFinding, failure, ok, warning } from './finding.js'

const ANSWER_MS = 10_000

/** A clock that is further off than this (ms) makes alerts early or late. */
const CLOCK_MS = 5_000

export async function* examineInstallation(): AsyncGenerator<DoctorFinding, void, void> {
  yield examineVersion()
  let config: Config
  try {
    config = await readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems)
      yield failure('Settings', problem, 'Correct it; nothing starts before.')
    return
  }
  yield* examineSettings(config)
  const store = await openOrExplain(config)
  if ('level' in store) yield store
  else {
    yield ok('Database', await databaseEngine(config))
    try {
      yield* examineChannels(store)
    } finally {
      await store.close()
    }
  }
  yield await examineMail(config)
  yield* await examineAddresses(config)
}

function examineVersion(): DoctorFinding {
  return ok('Version', `Punctual ${packageVersion} on Node.js ${process.versions.node}`)
}

function* examineSettings(config: Config): Generator<DoctorFinding> {
  const { hostname, protocol } = new URL(config.SITE_ROOT)
  if (/^(localhost|127\.|\[::1\])/.test(hostname))
    yield warning(
      'Settings',
      `SITE_ROOT is ${config.SITE_ROOT}, so links in messages and ping URLs only work on this machine`,
      'Set SITE_ROOT to the address that people and jobs use.',
    )
  else if (protocol === 'http:')
    yield warning(
      'Settings',
      `SITE_ROOT is ${config.SITE_ROOT}: passwords and sessions travel unencrypted`,
      'Put a proxy with TLS in front, see docs/self-hosting.md.',
    )
  else yield ok('Settings', 'every value can be used')
  if (config.REGISTRATION_OPEN && config.HOST !== '127.0.0.1')
    yield warning(
      'Settings',
      'anybody who reaches the pages can make an account',
      'Set REGISTRATION_OPEN=False once everybody has one.',
    )
  if (config.ADMIN_EMAIL === '')
    yield warning(
      'Settings',
      'nobody is told when Punctual itself is in trouble',
      'Set ADMIN_EMAIL, or let another monitor watch it with HEARTBEAT_URL.',
    )
}

async function openOrExplain(config: Config): Promise<Store | DoctorFinding> {
  try {
    return await openStore(config, { create: false })
  } catch (error) {
    const advice =
      config.DATABASE_URL === ''
        ? 'See DATA_DIR: `punctual serve` creates the database, and its user must be able to write the folder.'
        : 'See DATABASE_URL, and whether the server runs and lets this user in.'
    return failure('Database', (error as Error).message, advice)
  }
}

async function* examineChannels(store: Store): AsyncGenerator<DoctorFinding> {
  const projects = await store.projects.list()
  let examined = 0
  for (const { id, name } of projects)
    for (const channel of await store.channels.list(id)) {
      examined += 1
      const trouble = troubleOf(channel)
      if (trouble === null) continue
      const about = `Channel ${channel.name || channel.kind} of ${name || 'a project without a name'}`
      yield warning(about, trouble.text, trouble.advice)
    }
  if (examined === 0)
    yield warning('Channels', 'there are none, so nobody is alerted', 'Add one on the Integrations page.')
  else yield ok('Channels', `${examined} examined`)
}

function troubleOf(channel: Channel): { text: string; advice: string } | null {
  const test = `Send a test with \`punctual channel test ${channel.uuid}\`.`
  if (channel.disabled)
    return { text: 'disabled after repeated failures', advice: `Mend its receiver. ${test}` }
  if (!channel.confirmed)
    return {
      text: 'the owner of the address has not confirmed it',
      advice: 'Ask for the link again on its page.',
    }
  if (channel.lastError !== '') return { text: `the last message failed: ${channel.lastError}`, advice: test }
  if (channel.lastNotify === null) return { text: 'it has never delivered a message', advice: test }
  return null
}

async function examineMail(config: Config): Promise<DoctorFinding> {
  if (config.EMAIL_HOST === '')
    return warning(
      'Mail',
      'EMAIL_HOST is not set: no e-mail is sent, neither alerts nor links to sign in',
      'Set EMAIL_HOST and the settings beside it, see docs/self-hosting.md.',
    )
  const server = `${config.EMAIL_HOST}:${config.EMAIL_PORT}`
  const trouble = await examineMailServer(mailerOptions(config), AbortSignal.timeout(ANSWER_MS))
  if (trouble === null) return ok('Mail', `${server} lets Punctual in`)
  return failure(
    'Mail',
    `${server}: ${trouble}`,
    'See EMAIL_HOST, EMAIL_PORT, EMAIL_USE_TLS, EMAIL_HOST_USER and EMAIL_HOST_PASSWORD.',
  )
}

async function examineAddresses(config: Config): Promise<DoctorFinding[]> {
  const fetch = createSafeFetch({
    permits: isReachableAddress,
    userAgent: `Punctual/${packageVersion}`,
    totalMs: ANSWER_MS,
  })
  const signal = AbortSignal.timeout(ANSWER_MS)
  const found: DoctorFinding[] = []
  const keys = secretKeysOf(withSecretKey(config))
  const unreachable = await requestCanary(fetch, config.PING_ENDPOINT, keys, signal)
  found.push(
    unreachable === null
      ? ok('Ping URLs', `${config.PING_ENDPOINT} answers`)
      : failure(
          'Ping URLs',
          `${config.PING_ENDPOINT} cannot be used: ${unreachable}`,
          'See whether `punctual serve` runs, and PING_ENDPOINT, SITE_ROOT and the proxy in front.',
        ),
  )
  if (unreachable === null) found.push(await examineClock(config, fetch, signal))
  return found
}

/** Compares this machine's clock with that of whoever answers at SITE_ROOT, such as a proxy. */
async function examineClock(
  config: Config,
  fetch: ReturnType<typeof createSafeFetch>,
  signal: AbortSignal,
): Promise<DoctorFinding> {
  try {
    const before = Date.now()
    const { headers } = await fetch(
      { method: 'GET', url: config.SITE_ROOT, trustedOrigin: new URL(config.SITE_ROOT).origin, keepBytes: 0 },
      signal,
    )
    const date = Date.parse(String(headers.date ?? ''))
    if (Number.isNaN(date)) return ok('Clock', 'not compared: the answer has no date')
    const off = Math.round(date - (before + Date.now()) / 2)
    if (Math.abs(off) <= CLOCK_MS) return ok('Clock', 'agrees with the answer of SITE_ROOT')
    return failure(
      'Clock',
      `this machine's clock differs by ${Math.round(off / 1000)} s from that of whoever answers at SITE_ROOT`,
      'Set both by NTP.',
    )
  } catch (error) {
    return warning(
      'Clock',
      `not compared: ${(error as Error).message}`,
      'See SITE_ROOT and the proxy in front.',
    )
  }
}
