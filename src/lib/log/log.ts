/** The log: one structured line per event, without secrets. */
import { pino } from 'pino'
import { redact } from './redact.js'

/** The fields of a line besides its message. An `Error` is written with its stack and cause. */
export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export interface LogOptions {
  format: 'pretty' | 'json'
  level: 'debug' | 'info' | 'warn' | 'error'
  /** Texts that are removed from every line. */
  secrets?: readonly string[]
  /** Receives each line with its newline; standard error by default. */
  write?(line: string): void
}

/** Names of fields that contain secrets. */
const SECRET_FIELDS =
  /^(password|passphrase|token|secret|api_?key|ping_?key|authorization|cookie|set-cookie|x-api-key)$/i

/** Creates a log that writes lines at `level` and above. */
export function createLog({ format, level, secrets = [], write }: LogOptions): Log {
  // Removing short secrets would also remove ordinary words.
  const hidden = secrets
    .filter(secret => secret.length >= 6)
    .flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1)])
  const out = write ?? ((line: string) => void process.stderr.write(line))
  const stream = {
    write: (line: string) => out(redact(format === 'json' ? line : formatPretty(JSON.parse(line)), hidden)),
  }
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    stream,
  )
  const line =
    (at: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) => {
      if (logger.isLevelEnabled(at)) logger[at](toLoggable(fields) as object, message)
    }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}

/** A value as it is written: errors as text with their causes, secret fields removed. */
function toLoggable(value: unknown): unknown {
  if (value instanceof Error) return errorText(value)
  if (Array.isArray(value)) return value.map(toLoggable)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_FIELDS.test(name) ? '…' : toLoggable(inner)]),
  )
}

function errorText(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own}\nCaused by: ${errorText(error.cause)}` : own
}

/** `2026-08-21T09:00:00.000Z info  message name=value`, with quotes around values that contain spaces. */
function formatPretty({ level, time, msg, ...fields }: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${quote(value)}`)
  return `${time} ${String(level).padEnd(5)} ${escapeControls(String(msg))}${pairs.join('')}\n`
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isWord = typeof value !== 'string' || !/[\s"=\p{C}]|^$/u.test(text)
  return escapeControls(isWord ? text : JSON.stringify(text))
}

/** Escapes characters that would move a terminal's cursor, colour its lines or reverse their direction. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, character =>
    Array.from({ length: character.length }, (_, at) => {
      const code = character.charCodeAt(at).toString(16)
      return `\\u${code.padStart(4, '0')}`
    }).join(''),
  )
}
