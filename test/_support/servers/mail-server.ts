import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailerOptions } from '../../../src/lib/mail/mailer.js'

export interface MailPart {
  headers: Record<string, string>
  /** Decoded; the whole undecoded body of a multipart e-mail. */
  body: string
  /** The parts of all levels, in order. */
  parts: MailPart[]
}

export interface ReceivedMail extends MailPart {
  envelope: { from: string; to: string[] }
  raw: string
  text: string
  html: string
}

export interface MailServer {
  mails: ReceivedMail[]
  connections: number
  /** The settings with which a mailer reaches it. */
  options: MailerOptions
}

/** An SMTP server that keeps the e-mails that it receives, closed when the test ends. */
export async function openMailServer(t: TestContext, options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const opened: MailServer = {
    mails,
    connections: 0,
    options: {
      host: '127.0.0.1',
      port: 0,
      user: '',
      password: '',
      startTls: false,
      implicitTls: false,
      from: 'Punctual <punctual@monitor.example>',
      tryMs: 60_000,
      pauseMs: 5,
    },
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, callback) => {
      opened.connections++
      callback()
    },
    onData: async (stream, session, callback) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const raw = Buffer.concat(chunks).toString()
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom ? mailFrom.address : ''
      mails.push(received(raw, { from, to: rcptTo.map(({ address }) => address) }))
      callback()
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  opened.options.port = (server.server.address() as AddressInfo).port
  return opened
}

function received(raw: string, envelope: ReceivedMail['envelope']): ReceivedMail {
  const whole = parsePart(raw)
  const find = (type: string) =>
    [whole, ...whole.parts].find(part => part.headers['content-type']?.startsWith(type))?.body ?? ''
  return { ...whole, raw, envelope, text: find('text/plain'), html: find('text/html') }
}

function parsePart(raw: string): MailPart {
  const split = raw.indexOf('\r\n\r\n')
  const headers = Object.fromEntries(
    raw
      .slice(0, split)
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map(line => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        words(line.slice(line.indexOf(':') + 2)),
      ]),
  )
  const body = raw.slice(split + 4)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  if (!boundary) return { headers, body: decode(body, headers['content-transfer-encoding']), parts: [] }
  const inner = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map(part => parsePart(part.slice(2, -2)))
  return { headers, body, parts: inner.flatMap(part => [part, ...part.parts]) }
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body
}

function quotedPrintable(text: string): string {
  const binary = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(binary, 'latin1').toString()
}

/** Decodes the encoded words of a header. Source: RFC 2047. */
function words(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : quotedPrintable(text.replaceAll('_', ' ')),
    )
}
