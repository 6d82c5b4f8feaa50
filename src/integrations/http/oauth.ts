/** The parts of OAuth 2.0 that services share. Source: RFC 6749, section 4.1. */
import { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { parseJsonOrNull } from '../../lib/formats/parse-json-or-null.js'
import type { HttpAnswer, HttpRequest } from '../transports.js'
import { readAnswer } from './read-answer.js'

/** Adds parameters to the query of an address. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** The authorization code in a response. Throws `Refusal('invalid')` with the service's reason if there is none. */
export function codeIn(answer: Readonly<Record<string, string>>): string {
  if (answer.error !== undefined) throw refusalOf(answer.error)
  if (!answer.code) throw new Refusal('invalid', 'the service did not send a code')
  return answer.code
}

/** The request that exchanges a code. */
export function exchangeRequest(url: string, fields: Readonly<Record<string, string>>): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams(fields).toString(),
    secretBody: true,
  }
}

const failure = z.object({ error: z.string() })

/**
 * Parses the response to a code exchange. Throws `Refusal('invalid')` if the service refused, and `DeliveryError` for
 * any other response.
 */
export function readExchange<T>(schema: z.ZodType<T>, answer: HttpAnswer): T {
  const refusal = failure.safeParse(parseJsonOrNull(answer.body))
  if (refusal.success) throw refusalOf(refusal.data.error)
  return readAnswer(schema, answer)
}

const WORDS: Readonly<Record<string, string>> = {
  access_denied: 'access was not granted',
  invalid_grant: 'the code has expired: start again',
  invalid_code: 'the code has expired: start again',
  bad_verification_code: 'the code has expired: start again',
  invalid_client:
    'the service does not recognise this installation: ask your administrator to check its settings',
  incorrect_client_credentials:
    'the service does not recognise this installation: ask your administrator to check its settings',
  temporarily_unavailable: 'the service is not available: try again later',
}

/** A refusal with the service's reason in words. An unknown reason is quoted if it is a plain word. */
export function refusalOf(reason: string): Refusal {
  const known = Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined
  const plain = /^[\w.-]{1,60}$/.test(reason) ? `the service refused: ${reason}` : 'the service refused'
  return new Refusal('invalid', known ?? plain)
}
