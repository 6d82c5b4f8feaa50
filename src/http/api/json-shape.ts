import { Refusal } from '../../core/errors.js'

/** No field of the API is nested more than two levels deep. */
const MOST_LEVELS = 32

/** No request needs more than a hundred values, but for files of configuration: see large-json-body.ts. */
const MOST_VALUES = 10_000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Throws `Refusal('invalid')` for JSON that takes long to parse for its size, because it is deeply nested or has very
 * many values. The parser runs in the event loop and would delay pings. Does not check whether the JSON is valid. Returns the number of values.
 */
export function checkJsonShape(bytes: Uint8Array): number {
  let levels = 0
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at)
        break
      case ARRAY:
      case OBJECT:
        if (++levels > MOST_LEVELS) {
          throw new Refusal('invalid', `the request body is nested more than ${MOST_LEVELS} levels deep`)
        }
        break
      case ARRAY_END:
      case OBJECT_END:
        levels--
        break
      case COMMA:
        if (++values > MOST_VALUES) {
          throw new Refusal('invalid', `the request body has more than ${MOST_VALUES} values`)
        }
        break
    }
  }
  return values
}

/** The index of the quotation mark that ends the string that begins at `start`, or of the end of the text. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
