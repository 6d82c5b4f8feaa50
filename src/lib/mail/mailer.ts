/** Outgoing e-mail through the operator's SMTP server. Source: docs/behaviour.md, sections 8.7 and 10.1. */
import type { Transporter } from 'nodemailer'
import { withDeadline } from '../http/deadline.js'
import { type MailError, mailErrorOf } from './mail-error.js'

export interface MailerOptions {
  host: string
  port: number
  /** Empty for a server that asks for none. */
  user: string
  password: string
  /** Begin in the clear and insist on STARTTLS. Without it and `implicitTls` nothing is encrypted. */
  startTls: boolean
  /** TLS from the first byte. */
  implicitTls: boolean
  /** An address, or a name with one: `Punctual <punctual@example.org>`. */
  from: string
  /** The envelope sender, `%s` standing for a mail's bounce id; empty for the address in `from`. */
  envelopeTemplate?: string
  /** For one try, from connecting to the last answer. */
  tryMs?: number
  /** Between two tries. */
  pauseMs?: number
}

/** An outgoing e-mail. */
export interface Mail {
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** The same for a repeat of the same message: it becomes the Message-ID. */
  id?: string
  /** Names this message towards a bounce. */
  bounceId?: string
  headers?: Readonly<Record<string, string>>
  attachments?: readonly { filename: string; contentType: string; content: Uint8Array }[]
}

export interface Mailer {
  /**
   * Hands a message to the server; up to three tries, a second apart, where the trouble may pass. Throws `MailError`,
   * or the signal's reason when it is aborted. `once`: one try, for those who come again by themselves.
   */
  send(mail: Mail, signal?: AbortSignal, options?: { once?: boolean }): Promise<void>
}

const TRIES = 3

export function createMailer(options: MailerOptions): Mailer {
  let transport: Promise<Transporter> | null = null
  return {
    async send(mail, signal, { once = false } = {}) {
      transport ??= openTransport(options)
      const message = messageOf(mail, options)
      for (let attempt = 1; ; attempt++) {
        const error = await tryToSend(await transport, message, options, signal)
        if (error === null) return
        if (signal?.aborted) throw signal.reason
        if (error.refused || once || attempt === TRIES) throw error
        await pause(options.pauseMs ?? 1_000, signal)
      }
    },
  }
}

async function tryToSend(
  transport: Transporter,
  message: object,
  options: MailerOptions,
  signal?: AbortSignal,
): Promise<MailError | null> {
  try {
    await withDeadline(options.tryMs ?? 30_000, signal, within =>
      transport.sendMail({ ...message, signal: within }),
    )
    return null
  } catch (error) {
    return mailErrorOf(error as Error)
  }
}

/** The library is loaded with the first message: most starts send none. */
async function openTransport(options: MailerOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: options.host,
    port: options.port,
    secure: options.implicitTls,
    requireTLS: options.startTls && !options.implicitTls,
    ignoreTLS: !options.startTls && !options.implicitTls,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(options.user === '' ? {} : { auth: { user: options.user, pass: options.password } }),
  })
}

function messageOf(mail: Mail, options: MailerOptions): object {
  const { id, bounceId, to, ...rest } = mail
  const domain = /@([^\s@>]+)>?\s*$/.exec(options.from)?.[1] ?? 'localhost'
  const sender =
    options.envelopeTemplate && bounceId ? options.envelopeTemplate.replace('%s', () => bounceId) : ''
  return {
    ...rest,
    from: options.from,
    // As an object, because a text is read as a list of addresses.
    to: { name: '', address: to },
    ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
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
