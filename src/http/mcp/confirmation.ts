/** The short values with which deletions are confirmed; nothing is stored for them. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const VALID_MS = 600_000

/** What is confirmed: this tool at this address, by this token, while the resource has this ETag. `now`: ms UTC. */
export interface Asked {
  credential: string
  tool: string
  address: string
  etag: string
  now: number
}

/** The value with which it is confirmed within ten minutes. */
export function confirmationOf(asked: Asked): string {
  return valueUntil(Math.ceil((asked.now + VALID_MS) / 1000), asked)
}

export function isConfirmation(value: string, asked: Asked): boolean {
  const until = Number.parseInt(value.split('-')[0]!, 36)
  if (!(until * 1000 > asked.now)) return false
  const expected = Buffer.from(valueUntil(until, asked))
  const given = Buffer.from(value)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function valueUntil(seconds: number, { credential, tool, address, etag }: Asked): string {
  const signed = createHmac('sha256', credential)
    .update(JSON.stringify([seconds, tool, address, etag]))
    .digest('hex')
  return `${seconds.toString(36)}-${signed.slice(0, 20)}`
}
