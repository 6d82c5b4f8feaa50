import type { Alert, AlertPing, Notice } from '../../src/core/alerts/alert.js'
import { DEFAULT_SETTINGS } from '../../src/core/checks/check-fields.js'
import { createTransports } from '../../src/integrations/create-transports.js'
import type { ChannelSettings } from '../../src/integrations/field.js'
import { checkSettings } from '../../src/integrations/fields.js'
import type { Destination, Integration } from '../../src/integrations/integration.js'
import { guardedConnect } from '../../src/lib/http/guarded-connect.js'
import { type AddressRule, anyAddress } from '../../src/lib/http/public-address.js'
import { createSafeFetch } from '../../src/lib/http/safe-fetch.js'
import { createMailer, type MailerOptions } from '../../src/lib/mail/mailer.js'
import { createRunCommand } from '../../src/lib/run-command.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The time at which the alerts of these tests are sent. */
export const NOW = Date.parse('2026-03-05T12:00:00Z')

export const UUID = '3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11'

type Changes = Partial<Omit<Alert, 'check' | 'flip'>> & {
  check?: Partial<Alert['check']>
  flip?: Partial<Alert['flip']>
}

/** An alert about a nightly backup that has been down for ten minutes, with `changes`. */
export function anAlert(changes: Changes = {}): Alert {
  const { check, flip, ...rest } = changes
  const down = rest.status !== 'up'
  return {
    type: 'alert',
    status: 'down',
    now: NOW,
    checkJson: '{"name": "Backup", "uuid": "3cba109f"}',
    checkUrl: 'https://monitor.example/cloaked/59e5a247000529524ba7e978a9de12ec70ece6b1/',
    project: { name: 'Alpha', url: 'https://monitor.example/projects/alpha/' },
    lastPing: aPing(),
    downtimeMs: down ? null : 90 * MINUTE,
    otherChecks: 0,
    othersDownCount: rest.othersDown?.length ?? 0,
    othersDown: [],
    outage: null,
    silentSince: null,
    finding: null,
    superseded: 0,
    missedDown: false,
    flapped: false,
    test: false,
    site: { name: 'Punctual', root: 'https://monitor.example' },
    ...rest,
    flip: {
      createdAt: NOW - 10 * MINUTE,
      oldStatus: down ? 'up' : 'down',
      newStatus: down ? 'down' : 'up',
      reason: down ? 'missed' : '',
      ...flip,
    },
    check: {
      uuid: UUID,
      uniqueKey: '59e5a247000529524ba7e978a9de12ec70ece6b1',
      badgeKey: 'b0a1f5c2-1f5e-4b8e-9f6d-0c8f6f3c7d22',
      createdAt: Date.parse('2026-01-01T00:00:00Z'),
      ...DEFAULT_SETTINGS,
      name: 'Backup',
      slug: 'backup',
      tags: 'prod db',
      status: down ? 'down' : 'up',
      statusSince: NOW - 10 * MINUTE,
      nPings: 42,
      lastPing: NOW - 25 * HOUR,
      lastStart: null,
      lastStartRid: null,
      tracking: null,
      lastDurationMs: null,
      dueAt: null,
      alertAfter: null,
      ...check,
    },
  }
}

/** A success a day and an hour ago, without a body, with `changes`. */
export function aPing(changes: Partial<AlertPing> = {}): AlertPing {
  return {
    n: 42,
    action: 'success',
    at: NOW - 25 * HOUR,
    exitStatus: null,
    scheme: 'https',
    method: 'GET',
    remoteAddr: '192.0.2.7',
    ua: 'curl/8',
    durationMs: null,
    body: null,
    ...changes,
  }
}

export function aNotice(changes: Partial<Notice> = {}): Notice {
  return {
    type: 'notice',
    now: NOW,
    title: 'The channel "Pager" was disabled',
    text: 'Its address answers that it is gone.',
    url: 'https://monitor.example/projects/alpha/integrations/',
    site: { name: 'Punctual', root: 'https://monitor.example' },
    ...changes,
  }
}

/** A channel with these settings, held against the fields as they are when a channel is made. */
export function aDestination(
  integration: Integration,
  settings: ChannelSettings,
  changes: Partial<Destination> = {},
): Destination {
  return {
    uuid: '0f6b2b1e-6d0c-4d6a-9d0a-4f2f7c3b1a55',
    name: 'Pager',
    settings: checkSettings(integration, settings),
    idempotencyKey: '6f9f2c56-5c1d-4f60-a5f4-95d0f1d5a1b3',
    unsubscribeUrl: 'https://monitor.example/integrations/0f6b2b1e/unsub/signed/',
    statusUrl: 'https://monitor.example/api/v3/notifications/8d2c7c0e-5a83-4c60-9b9e-0e1f2a3b4c5d/status',
    operator: {},
    ...changes,
  }
}

const run = createRunCommand({ environment: { PATH: '/usr/bin:/bin' } })

export interface TestWaysOptions {
  totalMs?: number
  permits?: AddressRule
  signal?: AbortSignal
  begins?: () => void
  /** Where connections go instead: from `https://api.example.org` to a recorder's `http://127.0.0.1:PORT`. */
  routes?: Readonly<Record<string, string>>
}

/** The real transports, but private addresses are allowed. */
export function testWays(mail: MailerOptions | null = null, options: TestWaysOptions = {}) {
  const { totalMs = 60_000, permits = anyAddress, signal, begins, routes = {} } = options
  const fetch = createSafeFetch({ permits, userAgent: 'Punctual', totalMs, connect: routed(routes) })
  return createTransports({ fetch, mailer: mail && createMailer(mail), run }, signal, begins)
}

/**
 * Connects to real origins as usual, and to those of `routes` at the server that replaces them. Only the connection
 * differs: the request, its `Host` and its redirects are unchanged.
 */
function routed(routes: Readonly<Record<string, string>>): typeof guardedConnect {
  return (target, permits, signal) => {
    const scheme = target.tls ? 'https:' : 'http:'
    const place = routes[new URL(`${scheme}//${bracketed(target.hostname)}:${target.port}`).origin]
    if (place === undefined) return guardedConnect(target, permits, signal)
    const { hostname, port } = new URL(place)
    return guardedConnect({ hostname, port: Number(port), tls: false }, permits, signal)
  }
}

function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
