/** Bodies with very many values, such as files of configuration: parsed in turns, so that they hold nobody up. */
import { Refusal } from '../../core/errors.js'
import { checkJsonShape, endOfString } from './json-shape.js'

/** The most values of a body, and the most members of an object of its last outer level, and of those around it. */
export const MOST_IN_LARGE_BODY = { values: 250_000, members: 30_000, outerMembers: 1_000 }

const [QUOTE, COLON, COMMA] = [0x22, 0x3a, 0x2c]
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const SPACES: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d]

/** After this many bytes there is a turn, also within a value. */
const TURN_BYTES = 32_768

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * What `parseJsonBody` returns for a body that is not empty. The members of the outer `levels` of objects are parsed one by one, each in a turn and
 * with the limits of a whole body otherwise. Throws `Refusal('invalid')`.
 */
export function* parseLargeJson(bytes: Uint8Array, levels: number): Generator<void, Record<string, unknown>> {
  return yield* new LargeJson(bytes).parse(levels)
}

class LargeJson {
  #at = 0
  #values = 0

  constructor(private readonly bytes: Uint8Array) {}

  *parse(levels: number): Generator<void, Record<string, unknown>> {
    if (this.#next() !== OBJECT) throw new Refusal('invalid', 'json validation error: value is not an object')
    const body = yield* this.#object(levels)
    if (this.#next() !== undefined) throw notParsed()
    return body
  }

  *#object(levels: number): Generator<void, Record<string, unknown>> {
    const object: Record<string, unknown> = {}
    const most = levels > 1 ? MOST_IN_LARGE_BODY.outerMembers : MOST_IN_LARGE_BODY.members
    this.#at++
    if (this.#next() === OBJECT_END) {
      this.#at++
      return object
    }
    for (let members = 1; ; members++) {
      if (members > most)
        throw new Refusal('invalid', `an object in the request body has more than ${most} members`)
      const name = this.#name()
      if (this.#next() !== COLON) throw notParsed()
      this.#at++
      const isOuter = this.#next() === OBJECT && levels > 1
      add(object, name, isOuter ? yield* this.#object(levels - 1) : yield* this.#value())
      yield
      const end = this.#next()
      this.#at++
      if (end === OBJECT_END) return object
      if (end !== COMMA) throw notParsed()
    }
  }

  /** The next byte that is not a space; undefined at the end. */
  #next(): number | undefined {
    while (SPACES.includes(this.bytes[this.#at])) this.#at++
    return this.bytes[this.#at]
  }

  #name(): string {
    if (this.#next() !== QUOTE) throw notParsed()
    const start = this.#at
    this.#at = endOfString(this.bytes, start) + 1
    return parsed(this.bytes.subarray(start, this.#at)) as string
  }

  *#value(): Generator<void, unknown> {
    const start = this.#at
    this.#at = yield* endOfValue(this.bytes, start)
    const bytes = this.bytes.subarray(start, this.#at)
    this.#values += checkJsonShape(bytes)
    const { values: most } = MOST_IN_LARGE_BODY
    if (this.#values > most) throw new Refusal('invalid', `the request body has more than ${most} values`)
    return parsed(bytes)
  }
}

/** Where the value ends that begins at `start`: at the comma or bracket behind it, or at the end of the text. */
function* endOfValue(bytes: Uint8Array, start: number): Generator<void, number> {
  let levels = 0
  let turnAt = start + TURN_BYTES
  for (let at = start; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at)
        break
      case ARRAY:
      case OBJECT:
        levels++
        break
      case ARRAY_END:
      case OBJECT_END:
        if (levels === 0) return at
        levels--
        break
      case COMMA:
        if (levels === 0) return at
        break
    }
    if (at >= turnAt) {
      turnAt = at + TURN_BYTES
      yield
    }
  }
  return bytes.length
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw notParsed()
  }
}

/** As the parser adds members: the last of a name counts, and no name is special. */
function add(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function notParsed(): Refusal {
  return new Refusal('invalid', 'could not parse request body')
}
