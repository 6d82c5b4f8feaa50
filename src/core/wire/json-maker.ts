import { quoted } from './json.js'

/** A key of a JSON object: the source's property that is its value, or a function that writes the value. */
export type JsonKey<Source, Context> = { key: string } & (
  | { from: string; isText: boolean }
  | { write: (source: Source, context: Context) => string | number | boolean }
)

/**
 * Returns a function that writes the keys and values as JSON, without the braces. It is compiled once: calling a list
 * of functions would cost a listing 700 ns more per check. Only names from the table of fields are compiled, quoted.
 */
export function jsonMaker<Source, Context>(
  keys: readonly JsonKey<Source, Context>[],
): (source: Source, context: Context) => string {
  const writers: object[] = []
  const parts = keys.map((one, place) => {
    const label = JSON.stringify(`${place === 0 ? '' : ', '}${quoted(one.key)}: `)
    if ('write' in one) return `${label} + write${writers.push(one.write) - 1}(source, context)`
    const value = `source[${JSON.stringify(one.from)}]`
    return `${label} + ${one.isText ? `quoted(${value})` : value}`
  })
  const names = writers.map((_, place) => `write${place}`)
  const body = `return (source, context) => ${parts.join(' + ')}`
  return new Function('quoted', ...names, body)(quoted, ...writers)
}
