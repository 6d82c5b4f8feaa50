import { toJson } from './json.js'

/** How much text is collected before it is written as bytes. */
const PENDING = 8_192

/** The text of `toJson`, in turns: what is in the outer `depth` lists and objects is written piece by piece, so that long lists hold nobody up. */
export function* jsonInTurns(value: unknown, depth: number): Generator<void, string> {
  const pieces: Buffer[] = []
  let pending = ''
  for (const part of partsOf(value, depth)) {
    pending += part
    if (pending.length >= PENDING) {
      pieces.push(Buffer.from(pending, 'latin1'))
      pending = ''
    }
    yield
  }
  return Buffer.concat([...pieces, Buffer.from(pending, 'latin1')]).toString('latin1')
}

function* partsOf(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield toJson(value)
    return
  }
  const isList = Array.isArray(value)
  let separator = ''
  yield isList ? '[' : '{'
  for (const [key, part] of value instanceof Map ? value : Object.entries(value)) {
    if (part === undefined) continue
    yield isList ? separator : `${separator}${toJson(key)}: `
    yield* partsOf(part, depth - 1)
    separator = ', '
  }
  yield isList ? ']' : '}'
}
