import { toJson } from './json.js'

/** How much text is collected before it is written as bytes. */
const PENDING = 8_192

/** The text of `toJson` as bytes, in turns: what is in the outer `depth` lists and objects is written piece by piece, so that long lists hold nobody up. */
export function* jsonInTurns(value: unknown, depth: number): Generator<void, Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let pending = ''
  for (const part of partsOf(value, depth, OURS)) {
    pending += part
    if (pending.length >= PENDING) {
      pieces.push(Buffer.from(pending, 'latin1'))
      pending = ''
    }
    yield
  }
  return Buffer.concat([...pieces, Buffer.from(pending, 'latin1')])
}

/** The text of `JSON.stringify`, in the same turns. */
export function* plainJsonInTurns(value: unknown, depth: number): Generator<void, string> {
  let text = ''
  for (const part of partsOf(value, depth, PLAIN)) {
    text += part
    yield
  }
  return text
}

interface Style {
  write(value: unknown): string
  comma: string
  colon: string
}

const OURS: Style = { write: toJson, comma: ', ', colon: ': ' }
const PLAIN: Style = { write: JSON.stringify, comma: ',', colon: ':' }

function* partsOf(value: unknown, depth: number, style: Style): Generator<string, void> {
  const { write, comma, colon } = style
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield write(value)
    return
  }
  const isList = Array.isArray(value)
  let separator = ''
  yield isList ? '[' : '{'
  for (const [key, part] of value instanceof Map ? value : Object.entries(value)) {
    if (part === undefined) continue
    yield isList ? separator : separator + write(key) + colon
    yield* partsOf(part, depth - 1, style)
    separator = comma
  }
  yield isList ? ']' : '}'
}
