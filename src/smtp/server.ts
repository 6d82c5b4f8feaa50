/** The SMTP server: e-mails to the addresses of checks become pings. Source: docs/behaviour.md, section 6. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { isTemporary, QueueFull } from '../actions/pings/ping-refusals.js'
import { type MailDeps, type MailTarget, putOffMail, recordMail } from '../actions/pings/record-mail.js'
import type { PingOutcome } from '../core/pings/arrived-ping.js'
import { clientNetwork } from '../lib/http/client-address.js'
import { MailReaderBusy } from '../lib/mail/mail-reader.js'
import { collect, MemoryBudget } from './collect.js'
import { Connections } from './connections.js'
import { ReceivingPace } from './receiving-pace.js'
import { parseRecipient } from './recipient.js'
import { hasEnoughRecipients, hasTooManyRecipients } from './total-size.js'

export interface SmtpDeps extends MailDeps {
  /** The domain of the addresses, also used as the server's name. */
  domain: string
  /** The maximum size of an e-mail, in bytes. */
  sizeLimit: number
  /** A certificate and its key, in PEM, for STARTTLS; null: no encryption. */
  tls: { cert: string; key: string } | null
  /** Called with the outcome for each recipient, without secrets. */
  onMail(event: { recipient: string; from: string; outcome: PingOutcome }): void
  /** Called with failures that are not the sender's fault. */
  onError(error: unknown): void
}

export interface SmtpServer {
  /** Resolves with the port; rejects when it cannot listen. */
  listen(port: number, host: string): Promise<number>
  /** Stops accepting connections. Resolves when open ones are done or, after a time limit, closed. */
  close(): Promise<void>
}

/** How long a connection may be silent, and how long it may continue when the server closes. */
const IDLE_MS = 60_000
const CLOSE_MS = 3_000

const MAX_RECIPIENTS = 100
const TOO_MANY = '4.7.0 Too many connections, try again in a moment'
/** The memory for all e-mails being received, as a number of e-mails of the maximum size. */
const EMAILS_AT_ONCE = 4

/** The server, not yet listening. */
export function createSmtpServer(deps: SmtpDeps): SmtpServer {
  const budget = new MemoryBudget(deps.sizeLimit * EMAILS_AT_ONCE)
  const pace = new ReceivingPace()
  const closeSession = (id: string, reason?: string) => {
    for (const connection of server.connections) {
      if (connection.id !== id) continue
      if (reason) connection.send(421, reason, false)
      connection.close()
    }
  }
  const connections = new Connections(
    id => closeSession(id, '4.4.2 Idle for too long'),
    () => deps.pings.hearing.turnedAway(),
  )
  const server = new SMTPServer({
    name: deps.domain,
    size: deps.sizeLimit,
    maxRecipients: MAX_RECIPIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    authOptional: true,
    disabledCommands: ['AUTH', ...(deps.tls ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    // Devices often send malformed sender addresses; only recipients matter here.
    lenientAddressParsing: true,
    ...(deps.tls ?? {}),
    onConnect(session, callback) {
      callback(connections.admit(session) ? null : smtpError(421, TOO_MANY))
    },
    onClose: session => connections.leave(session),
    onRcptTo({ address }, session, callback) {
      const target = parseRecipient(address, deps.domain)
      if (target === 'elsewhere') return callback(smtpError(550, '5.1.1 Recipient rejected'))
      if (target === 'malformed') return callback(smtpError(550, '5.1.1 Invalid mailbox'))
      const spare = connections.named(session)
      if (spare > MAX_RECIPIENTS) return closeSession(session.id, TOO_MANY)
      if (spare > 0) {
        const putOff = putOffMail(deps, [target]).catch(deps.onError)
        return void putOff.then(() => callback(smtpError(452, TOO_MANY)))
      }
      if (!hasEnoughRecipients(session.envelope)) return callback(null)
      callback(smtpError(452, '4.5.3 Too many recipients for this size, send it to the others separately'))
    },
    onData(stream, session, callback) {
      receive(deps, { budget, pace }, stream, session).then(
        error => {
          connections.ended(session)
          callback(error, 'OK')
        },
        // The message broke off, so the client is gone or not listening.
        () => closeSession(session.id),
      )
    },
  })
  // Errors of a connection concern only its client; errors of listening are handled below.
  server.on('error', () => {})
  server.server.on('connection', socket => connections.watch(socket))
  return {
    async listen(port, host) {
      server.listen(port, host)
      await once(server.server, 'listening')
      return (server.server.address() as AddressInfo).port
    },
    async close() {
      if (!server.server.listening) return
      await new Promise<void>(resolve => server.close(() => resolve()))
      connections.end()
    },
  }
}

/** Receives one message. Returns the error to answer, or null for OK. */
async function receive(
  deps: SmtpDeps,
  { budget, pace }: { budget: MemoryBudget; pace: ReceivingPace },
  stream: Readable,
  session: SMTPServerSession,
): Promise<Error | null> {
  const { rcptTo } = session.envelope
  const targets = rcptTo.map(({ address }) => parseRecipient(address, deps.domain) as MailTarget)
  const network = clientNetwork(session.remoteAddress)
  const mail = await collect(stream, {
    limit: deps.sizeLimit,
    budget,
    turn: bytes => pace.turn(network, bytes, () => stream.destroyed),
    isWanted: async () => (await deps.namedByMail(targets)).length > 0,
  })
  if (mail === 'too-large')
    return smtpError(552, `5.3.4 Message exceeds the limit of ${deps.sizeLimit} bytes`)
  if (mail === 'full') {
    await putOffMail(deps, targets).catch(deps.onError)
    return smtpError(452, '4.3.1 Too much mail at once, try again later')
  }
  const { raw, length, release } = mail
  if (hasTooManyRecipients(length, session.envelope)) {
    release()
    // Permanent, because the same e-mail would be refused again.
    return smtpError(552, '5.3.4 Message too large for so many recipients, send it to fewer at a time')
  }
  const { mailFrom } = session.envelope
  const sender = mailFrom ? mailFrom.address : ''
  /** Parsing may continue after the sender has been answered, so the memory is released later. */
  let reading: Promise<unknown> = Promise.resolve()
  const readMail: MailDeps['readMail'] = (raw, how) => {
    const texts = deps.readMail(raw, how)
    reading = texts.catch(() => {})
    return texts
  }
  try {
    const remoteAddr = session.remoteAddress || null
    const outcomes = await recordMail({ ...deps, readMail }, { targets, sender, remoteAddr, raw })
    for (const [index, outcome] of outcomes.entries()) {
      deps.onMail({ recipient: maskTarget(targets[index]!), from: sender, outcome })
    }
    return outcomes.includes('failed') ? smtpError(451, '4.3.0 Try again later') : null
  } catch (error) {
    const busy = error instanceof MailReaderBusy || error instanceof QueueFull
    if (!busy) deps.onError(error)
    return smtpError(451, busy || isTemporary(error) ? '4.3.2 Try again later' : '4.3.0 Try again later')
  } finally {
    void reading.then(release)
  }
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A target for the log, shortened so that readers of the log cannot ping it. */
function maskTarget(target: MailTarget): string {
  return 'slug' in target ? `${target.pingKey.slice(0, 4)}…+${target.slug}` : `${target.uuid.slice(0, 8)}…`
}
