/** The SMTP listener: mail to checks' addresses becomes pings. Source: docs/behaviour.md, section 6. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { type MailDeps, type MailTarget, recordMail } from '../actions/pings/record-mail.js'
import { isTemporary, QueueFull } from '../actions/pings/record-pings.js'
import type { PingOutcome } from '../core/pings/arrived-ping.js'
import { MailReaderBusy } from '../lib/mail/mail-reader.js'
import { collect, MemoryBudget } from './collect.js'
import { Connections } from './connections.js'
import { parseRecipient } from './recipient.js'

export interface SmtpDeps extends MailDeps {
  /** The domain of the addresses, and what the server calls itself. */
  domain: string
  /** Bytes of the largest e-mail taken. */
  sizeLimit: number
  /** A certificate and its key, in PEM, for STARTTLS; null: everything in the clear. */
  tls: { cert: string; key: string } | null
  /** Called with what became of each recipient, secrets left out. */
  onMail(event: { recipient: string; from: string; outcome: PingOutcome }): void
  /** Called with what an e-mail failed of, where that is not the sender's fault. */
  onError(error: unknown): void
}

export interface SmtpServer {
  /** Resolves with the port; rejects when it cannot listen. */
  listen(port: number, host: string): Promise<number>
  /** Takes no more; resolves when what is under way is done or, after a while, cut off. */
  close(): Promise<void>
}

/** How long a connection may be silent, and go on when the server closes. */
const IDLE_MS = 60_000
const CLOSE_MS = 3_000

const MOST_RECIPIENTS = 100
/** The memory for all e-mails under way, in e-mails of the largest size. */
const LARGEST_AT_ONCE = 4

/** The server, not yet listening. */
export function createSmtpServer(deps: SmtpDeps): SmtpServer {
  const room = new MemoryBudget(deps.sizeLimit * LARGEST_AT_ONCE)
  const closeSession = (id: string, reason?: string) => {
    for (const connection of server.connections) {
      if (connection.id !== id) continue
      if (reason) connection.send(421, reason, false)
      connection.close()
    }
  }
  const connections = new Connections(
    id => closeSession(id, '4.4.2 Idle for too long'),
    () => deps.pings.turnedAway(),
  )
  const server = new SMTPServer({
    name: deps.domain,
    size: deps.sizeLimit,
    maxRecipients: MOST_RECIPIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    authOptional: true,
    disabledCommands: ['AUTH', ...(deps.tls ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    // Devices send from addresses that are not quite right; only recipients matter here.
    lenientAddressParsing: true,
    ...(deps.tls ?? {}),
    onConnect(session, callback) {
      callback(
        connections.admit(session) ? null : answer(421, '4.7.0 Too many connections, try again in a moment'),
      )
    },
    onClose: session => connections.leave(session),
    onRcptTo({ address }, session, callback) {
      const target = parseRecipient(address, deps.domain)
      if (target === 'elsewhere') return callback(answer(550, '5.1.1 Recipient rejected'))
      if (target === 'malformed') return callback(answer(550, '5.1.1 Invalid mailbox'))
      connections.named(session)
      callback(null)
    },
    onData(stream, session, callback) {
      receive(deps, room, stream, session).then(
        error => {
          connections.ended(session)
          callback(error, 'OK')
        },
        // The message broke off: there is nobody to answer, or nobody who would listen.
        () => closeSession(session.id),
      )
    },
  })
  // What goes wrong with a connection is its client's business; listening is awaited below.
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

/** Takes in one message. Returns what to answer instead of OK, or null. */
async function receive(
  deps: SmtpDeps,
  room: MemoryBudget,
  stream: Readable,
  session: SMTPServerSession,
): Promise<Error | null> {
  const mail = await collect(stream, deps.sizeLimit, room)
  if (mail === 'too-large') return answer(552, `5.3.4 Message exceeds the limit of ${deps.sizeLimit} bytes`)
  if (mail === 'full') {
    deps.pings.turnedAway()
    return answer(452, '4.3.1 Too much mail at once, try again later')
  }
  const { mailFrom, rcptTo } = session.envelope
  const sender = mailFrom ? mailFrom.address : ''
  /** The e-mail may still be in the reader's hands when its sender has been answered. */
  let reading: Promise<unknown> = Promise.resolve()
  const readMail: MailDeps['readMail'] = (raw, isWanted) => {
    const texts = deps.readMail(raw, isWanted)
    reading = texts.catch(() => {})
    return texts
  }
  const targets = rcptTo.map(({ address }) => parseRecipient(address, deps.domain) as MailTarget)
  try {
    const remoteAddr = session.remoteAddress || null
    const outcomes = await recordMail({ ...deps, readMail }, { targets, sender, remoteAddr, raw: mail.raw })
    for (const [index, outcome] of outcomes.entries()) {
      deps.onMail({ recipient: masked(targets[index]!), from: sender, outcome })
    }
    return outcomes.includes('failed') ? answer(451, '4.3.0 Try again later') : null
  } catch (error) {
    const busy = error instanceof MailReaderBusy || error instanceof QueueFull
    if (!busy) deps.onError(error)
    return answer(451, busy || isTemporary(error) ? '4.3.2 Try again later' : '4.3.0 Try again later')
  } finally {
    void reading.then(mail.release)
  }
}

function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A target as a log may name it: whoever reads it must not be able to ping. */
function masked(target: MailTarget): string {
  return 'slug' in target ? `${target.pingKey.slice(0, 4)}…+${target.slug}` : `${target.uuid.slice(0, 8)}…`
}
