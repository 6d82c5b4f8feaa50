/** Reads the parameters of a query: each at most once, every error reported. */
import { type FieldError, FieldRefusal } from './problem.js'

/** How a parameter is read: `read` returns undefined if the text is wrong, and `wrong` is the error. */
export interface QueryParameter<T> {
  read(text: string): T | undefined
  wrong: string
}

type Values<P> = { [K in keyof P]?: P[K] extends QueryParameter<infer T> ? T : never }

/** The values of the parameters that are present. Throws a `FieldRefusal` with every error. */
export function readQuery<P extends Record<string, QueryParameter<unknown>>>(
  query: URLSearchParams,
  parameters: P,
): Values<P> {
  const errors: FieldError[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { read, wrong }] of Object.entries(parameters)) {
    const [text, ...others] = query.getAll(name)
    if (text === undefined) continue
    values[name] = read(text)
    if (values[name] === undefined || others.length > 0) errors.push({ detail: wrong, parameter: name })
  }
  if (errors.length > 0) throw new FieldRefusal(errors)
  return values as Values<P>
}

/** A whole number from 1 to `most`. `wrong`: the error, unless it is to name the limits. */
export function positive(
  most: number,
  wrong = `not a whole number from 1 to ${most}`,
): QueryParameter<number> {
  const read = (text: string) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
    return value >= 1 && value <= most ? value : undefined
  }
  return { read, wrong }
}

/** An instant in ISO 8601 with its offset, in ms. A `+` that was not encoded arrives as a space. */
export const instantParameter: QueryParameter<number> = {
  read(text) {
    const iso = text.replace(' ', '+')
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(iso)) return undefined
    const at = Date.parse(iso)
    return Number.isNaN(at) ? undefined : at
  },
  wrong: 'not an instant such as 2026-01-02T03:04:05Z',
}

export const yesOrNo: QueryParameter<boolean> = {
  read: text => ({ true: true, false: false })[text],
  wrong: 'not true or false',
}

/** A text of at most `most` characters that is not empty. */
export function text(most: number): QueryParameter<string> {
  return {
    read: value => (value.length >= 1 && value.length <= most ? value : undefined),
    wrong: `not a text of 1 to ${most} characters`,
  }
}
