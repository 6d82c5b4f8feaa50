import assert from 'node:assert/strict'
import type { Destination, Integration } from '../../src/integrations/integration.js'
import type { RecordedRequest } from './servers/recorder.js'

/** All texts of a request that its receiver can read, with the URL and forms decoded and JSON parsed. */
export function readable({ url, body, headers }: RecordedRequest): string {
  const address = new URL(url, 'http://recorder')
  const parts = [decoded(address.pathname), ...address.searchParams.values()]
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json')) parts.push(...textsIn(JSON.parse(body)))
  else if (type.startsWith('application/x-www-form-urlencoded'))
    parts.push(...new URLSearchParams(body).values())
  else parts.push(body)
  return parts.join('\n')
}

/** The fields of a form that was sent. */
export function formOf({ body, headers }: RecordedRequest): Record<string, string> {
  assert.match(headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  return Object.fromEntries(new URLSearchParams(body))
}

/** The JSON that was sent. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into payloads of every shape.
export function jsonOf({ body, headers }: RecordedRequest): any {
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  return JSON.parse(body)
}

/**
 * The secrets of a channel: its masked fields, the part of a URL after the host, and the operator's secrets. Fails if
 * one is so short that it could occur by chance.
 */
export function secretsOf(integration: Integration, to: Destination): string[] {
  const ofChannel = integration.fields
    .filter(({ sensitive }) => sensitive)
    .flatMap(({ name, type }) => {
      const value = to.settings[name] ?? ''
      return type === 'url' ? beyondHost(value) : [value]
    })
  const ofOperator = (integration.operatorSettings ?? [])
    .filter(({ secret }) => secret)
    .map(({ name }) => to.operator[name] ?? '')
  // Every line of a key counts.
  const secrets = [...ofChannel, ...ofOperator]
    .flatMap(value => value.split('\n'))
    .filter(secret => secret !== '')
  for (const secret of secrets) assert.ok(secret.length >= 6, `"${secret}" is too short for a test`)
  return secrets
}

function beyondHost(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { pathname, search, password } = new URL(url)
  return [pathname.slice(1), search.slice(1), password]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
