import { quoted } from './json.js'

/** A key of a JSON object: the property of the source that it shows, or what writes its value. */
export type JsonKey<Source, Context> = { key: string } & (
  | { from: string; isText: boolean }
  | { write: (source: Source, context: Context) => string | number | boolean }
)

/**
 * A function that writes the keys with their values as JSON, without the braces. It is compiled, once: a list of functions
 * called one after the other costs a listing 700 ns more for each check. Only names of the table of fields get here,
 * and they are quoted.
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
