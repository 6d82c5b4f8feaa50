import { Refusal } from '../../core/errors.js'
import type { WebContext } from './context.js'

/** The fields of a submitted form. */
export interface Form {
  /** A field's text as typed; empty if it is missing. Line ends are `\n`. */
  text(name: string): string
  /** Every value of a field that may occur several times. */
  all(name: string): string[]
  has(name: string): boolean
}

/**
 * Parses the form in a request's body; empty for a body of another type, and for a request that was refused before the
 * size of its body was limited.
 */
export async function formOf(c: WebContext): Promise<Form> {
  const type = c.req.header('Content-Type') ?? ''
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)
  const fields = isForm && c.var.isFormLimited ? await parsed(c) : {}
  // Typed text does not contain it, and PostgreSQL cannot store it.
  if (
    Object.values(fields)
      .flat()
      .some(value => typeof value === 'string' && value.includes('\0'))
  ) {
    throw new Refusal('invalid', 'the form contains an invalid character')
  }
  const all = (name: string) =>
    [Object.hasOwn(fields, name) ? fields[name] : []]
      .flat()
      .filter(value => typeof value === 'string')
      .map(value => value.replaceAll('\r\n', '\n'))
  return { text: name => all(name).at(-1) ?? '', all, has: name => Object.hasOwn(fields, name) }
}

/** Reads the values of fields, each cut to `most` characters, which no right value exceeds. */
export function cut(read: (name: string) => string[], most: number): (name: string) => string[] {
  return name => read(name).map(text => text.slice(0, most))
}

async function parsed(c: WebContext): Promise<Record<string, unknown>> {
  // Without an announced length there is no body, and so no form to parse.
  const { headers } = c.req.raw
  if (!headers.has('Content-Length') && !headers.has('Transfer-Encoding')) return {}
  try {
    return await c.req.parseBody({ all: true })
  } catch {
    throw new Refusal('invalid', 'the form could not be read')
  }
}
