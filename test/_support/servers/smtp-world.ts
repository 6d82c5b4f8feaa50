/** A store with one project, an SMTP listener, and ways to talk to it. */
import { connect, type Socket } from 'node:net'
import { after, type TestContext } from 'node:test'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { Changes } from '../../../src/lib/changes.js'
import { createStampSource } from '../../../src/lib/clock.js'
import { MailReader } from '../../../src/lib/mail/mail-reader.js'
import { newPingKey } from '../../../src/lib/secrets/secrets.js'
import { createSmtpServer, type SmtpDeps } from '../../../src/smtp/server.js'
import { FakeClock } from '../clock.js'
import { openFreshStore } from '../worlds/store.js'

export const DOMAIN = 'ping.example.org'

export type SmtpWorld = Awaited<ReturnType<typeof openSmtpWorld>>

/** Opens a world that closes when a test ends, or without one, after the file's tests. */
export async function openSmtpWorld(options: Partial<SmtpDeps> = {}, t?: TestContext) {
  const clock = new FakeClock()
  const { store, remove } = await openFreshStore()
  const errors: unknown[] = []
  const events: Parameters<SmtpDeps['onMail']>[0][] = []
  const reader = new MailReader()
  const server = createSmtpServer({
    pings: new PingQueue(store, new Changes(), message => errors.push(message)),
    stamp: createStampSource(clock),
    namedByMail: targets => store.pings.namedByMail(targets),
    readMail: (raw, how) => reader.read(raw, how),
    domain: DOMAIN,
    sizeLimit: 33_554_432,
    tls: null,
    onMail: event => events.push(event),
    onError: error => errors.push(error),
    ...options,
  })
  const port = await server.listen(0, '127.0.0.1')
  const pingKey = newPingKey()
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey, now: clock.now() })
  const close = async () => {
    await server.close()
    await remove()
  }
  if (t) t.after(close)
  else after(close)
  let count = 0

  return {
    store,
    clock,
    server,
    port,
    pingKey,
    projectId: project.id,
    /** The errors on our side. */
    errors,
    /** The outcome for each recipient. */
    events,
    /** Creates a check, with the slug `check-N` by default. */
    async addCheck(changes: CheckChanges = {}): Promise<string> {
      const slug = `check-${++count}`
      const request = { changes: { name: 'Backup', slug, ...changes }, unique: null, now: clock.now() }
      return (await store.checks.create(project.id, request)).check.uuid
    },
    /** The check's newest ping with its body; null if there is none. */
    async lastPing(uuid: string) {
      const { check } = await store.checks.facts(project.id, uuid, clock.now())
      if (check.nPings === 0) return null
      return await store.pings.details(project.id, uuid, check.nPings)
    },
    /** How many pings the check has had. */
    async pings(uuid: string): Promise<number> {
      return (await this.lastPing(uuid))?.ping.n ?? 0
    },
    /** Sends with a real client; rejects as the server does. */
    async send(to: string | string[], message: SendMailOptions = {}) {
      const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
      const from = 'cron@job.example.org'
      return await transport.sendMail({ from, to, subject: 'Hello', text: 'Hello', ...message })
    },
    /** Sends this raw message, and returns the check's newest ping. */
    async sent(uuid: string, raw: string | Buffer) {
      const envelope = { from: 'cron@job.example.org', to: [`${uuid}@${DOMAIN}`] }
      await this.send(`${uuid}@${DOMAIN}`, { raw, envelope })
      return (await this.lastPing(uuid))!
    },
    /** A conversation in raw SMTP. */
    async talk(): Promise<Conversation> {
      const socket = connect(port, '127.0.0.1')
      const conversation = new Conversation(socket)
      await conversation.reply()
      return conversation
    },
  }
}

/** Raw SMTP: lines are sent unchanged. */
export class Conversation {
  #received = ''
  #closed = false
  #heard = (): void => {}

  constructor(readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', piece => {
      this.#received += piece
      this.#heard()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closed = true
      this.#heard()
    })
  }

  /** The next reply with all its lines; empty if the server has closed the connection. */
  async reply(): Promise<string> {
    for (;;) {
      const match = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(this.#received)
      if (match) {
        this.#received = this.#received.slice(match[0].length)
        return match[0].trim()
      }
      if (this.#closed) return ''
      await new Promise<void>(resolve => {
        this.#heard = resolve
      })
    }
  }

  /** Sends a line and returns the reply to it. */
  async say(line: string): Promise<string> {
    this.socket.write(`${line}\r\n`, 'latin1')
    return await this.reply()
  }

  /** Sends the greeting, the sender and the recipient, up to the 354 of DATA. */
  async begin(to: string, from = 'cron@job.example.org'): Promise<string> {
    await this.say('EHLO job.example.org')
    await this.say(`MAIL FROM:<${from}>`)
    const accepted = await this.say(`RCPT TO:<${to}>`)
    return accepted.startsWith('250') ? await this.say('DATA') : accepted
  }
}
