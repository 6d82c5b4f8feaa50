import { runInNewContext } from 'node:vm'

const MOST = 20
/** The longest match that is looked into (characters), and the time that matching may take (ms). */
const LONGEST_MATCH = 1_000
const WITHIN_MS = 2_000

const NAME_AND_NUMBER =
  /^[^A-Za-z_]*([A-Za-z_][A-Za-z0-9_.]*).*[^0-9.eE+-]([+-]?[0-9][0-9.]*(?:[eE][+-]?[0-9]+)?)[^0-9]*$/

/**
 * The names and numbers in what matches, as parameters of a ping: `&metric=rows:1423`. Null if matching takes too long, as
 * some expressions do on some texts: the ping does not wait for it.
 */
export function findMetrics(output: Uint8Array, pattern: RegExp): string | null {
  const matches = allMatches(Buffer.from(output).toString('latin1'), pattern)
  const found = matches?.flatMap(match => {
    const [, name, number] = NAME_AND_NUMBER.exec(match) ?? []
    return name && number ? [`${name}:${number.replaceAll('+', '')}`.toLowerCase()] : []
  })
  if (!found) return null
  return found
    .slice(-MOST)
    .map(metric => `&metric=${metric}`)
    .join('')
}

function allMatches(text: string, { source, flags }: RegExp): string[] | null {
  const find = `JSON.stringify(
    Array.from(text.matchAll(new RegExp(source, flags)), match => match[0].slice(0, longest)))`
  try {
    const found = runInNewContext(
      find,
      { text, source, flags, longest: LONGEST_MATCH },
      { timeout: WITHIN_MS },
    )
    return JSON.parse(found)
  } catch (error) {
    if (isTimeout(error)) return null
    throw error
  }
}

/** The error comes from the other context, so it is no instance of this one's `Error`. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
