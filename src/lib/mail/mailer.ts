/** Outgoing e-mail through the operator's SMTP server. Source: docs/behaviour.md, sections 8.7 and 10.1. */
import { PassThrough, pipeline } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { withDeadline } from '../http/deadline.js'
import { type MailError, mailErrorOf } from './mail-error.js'

export interface MailerOptions {
  host: string
  port: number
  /** Empty if the server requires no authentication. */
  user: string
  password: string
  /** Require STARTTLS. Without it and `implicitTls`, connections are not encrypted. */
  startTls: boolean
  /** TLS from the first byte. */
  implicitTls: boolean
  /** An address, or a name with one: `Punctual <punctual@example.org>`. */
  from: string
  /** The envelope sender, with `%s` as the placeholder for the bounce ID; empty for the address in `from`. */
  envelopeTemplate?: string
  /** The time limit of one attempt until the server has the whole message. */
  tryMs?: number
  /**
   * The time limit of the server's answer to the whole message. It is longer, because the message may have been delivered and
   * would be sent twice. Source: RFC 5321, section 4.5.3.2.6.
   */
  acceptMs?: number
  /** The pause between two attempts. */
  pauseMs?: number
}

/** An outgoing e-mail. */
export interface Mail {
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** Becomes the Message-ID. A message that is sent again keeps its ID. */
  id?: string
  /**
   * Identifies the conversation to which the message belongs, in which mail programs then show it. Nothing with this ID was sent:
   * they group messages that refer to the same one. Source: RFC 5322, section 3.6.4.
   */
  thread?: string
  /** Identifies this message in a bounce. */
  bounceId?: string
  headers?: Readonly<Record<string, string>>
  attachments?: readonly { filename: string; contentType: string; content: Uint8Array }[]
  /** Called when the server has the whole message and has only to accept it. */
  onHandedOver?(): void
}

export interface Mailer {
  /**
   * Sends a message through the server. Retries temporary failures up to three attempts, a second apart. Throws
   * `MailError`, or the signal's reason when it aborts. `once`: one attempt, for callers that retry on their own.
   */
  send(mail: Mail, signal?: AbortSignal, options?: { once?: boolean }): Promise<void>
}

const TRIES = 3

export function createMailer(options: MailerOptions): Mailer {
  let transport: Promise<Transporter> | null = null
  return {
    async send(mail, signal, { once = false } = {}) {
      transport ??= openTransport(options)
      const { onHandedOver, ...content } = mail
      const message = messageOf(content, options)
      for (let attempt = 1; ; attempt++) {
        const error = await tryToSend(await transport, { message, onHandedOver }, options, signal)
        if (error === null) return
        if (signal?.aborted) throw signal.reason
        if (error.refused || once || attempt === TRIES) throw error
        await pause(options.pauseMs ?? 1_000, signal)
      }
    },
  }
}

/** Connects to the server and signs in without sending anything. Resolves with null, or with what is wrong. */
export async function examineMailServer(
  options: MailerOptions,
  signal?: AbortSignal,
): Promise<string | null> {
  const transport = await openTransport(options)
  try {
    await withDeadline(options.tryMs ?? 30_000, signal, () => transport.verify())
    return null
  } catch (error) {
    return mailErrorOf(error as Error).message
  } finally {
    transport.close()
  }
}

/** What the library is told of a message, and what its plugin in {@link openTransport} calls. */
type MessageToSend = SendMailOptions & { handedOver(): void }

async function tryToSend(
  transport: Transporter,
  { message, onHandedOver }: { message: object; onHandedOver: Mail['onHandedOver'] },
  options: MailerOptions,
  signal?: AbortSignal,
): Promise<MailError | null> {
  try {
    await withDeadline(options.tryMs ?? 30_000, signal, (within, restart) => {
      const handedOver = () => {
        restart(options.acceptMs ?? 120_000)
        onHandedOver?.()
      }
      return transport.sendMail({ ...message, signal: within, handedOver } as MessageToSend)
    })
    return null
  } catch (error) {
    return mailErrorOf(error as Error)
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Loads the library with the first message, because many processes send none. */
async function openTransport(options: MailerOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: options.host,
    port: options.port,
    secure: options.implicitTls,
    requireTLS: options.startTls && !options.implicitTls,
    ignoreTLS: !options.startTls && !options.implicitTls,
    disableFileAccess: true,
    disableUrlAccess: true,
    // The time limits of an attempt end it before. After a freeze of ten minutes the library's would pass before an answer is read.
    socketTimeout: LONGEST_TIMER_MS,
    ...(options.user === '' ? {} : { auth: { user: options.user, pass: options.password } }),
  })
  transport.use('stream', ({ data, message }, done) => {
    // The library reads from the last stream only when the server asks for the message, and its end just before the final dot.
    message.processFunc(input => {
      const last = new PassThrough().once('end', (data as MessageToSend).handedOver)
      // An error of the input reaches the library through `last`.
      return pipeline(input, last, () => {})
    })
    done()
  })
  return transport
}

function messageOf(mail: Omit<Mail, 'onHandedOver'>, options: MailerOptions): object {
  const { id, thread, bounceId, to, ...rest } = mail
  const domain = /@([^\s@>]+)>?\s*$/.exec(options.from)?.[1] ?? 'localhost'
  const sender =
    options.envelopeTemplate && bounceId ? options.envelopeTemplate.replace('%s', () => bounceId) : ''
  return {
    ...rest,
    from: options.from,
    // An object, because the library reads text as a list of addresses.
    to: { name: '', address: to },
    ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
    ...(thread === undefined
      ? {}
      : { inReplyTo: `<${thread}@${domain}>`, references: `<${thread}@${domain}>` }),
    ...(sender === '' ? {} : { envelope: { from: sender, to: [to] } }),
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
