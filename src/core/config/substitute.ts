/** Replaces `${NAME}` in the texts of a file. */
import type { ConfigProblem, Json, Place } from './project-config.js'

/** `$$` is a dollar sign; `${NAME}` the value of a variable; any other dollar sign stays. */
const VARIABLE = /\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** A text in which `substitute` changes nothing. */
export function escapeVariables(text: string): string {
  return text.replaceAll('$', '$$$$')
}

/** A value in whose texts `substitute` changes nothing. */
export function escapeTexts(value: Json): Json {
  if (typeof value === 'string') return escapeVariables(value)
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, escapeTexts(one)]))
}

/** The file with its variables replaced, and a problem for each that is missing. Names are never replaced. */
export function substitute(
  document: Json,
  variables: Readonly<Record<string, string | undefined>>,
): { document: Json; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  const inText = (text: string, at: Place) =>
    text.replace(VARIABLE, (whole, name: string | undefined) => {
      if (name === undefined) return '$'
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (value === undefined) problems.push({ at, problem: `The variable ${name} is not set.` })
      return value ?? whole
    })
  const inValue = (value: Json, at: Place): Json => {
    if (typeof value === 'string') return inText(value, at)
    if (Array.isArray(value)) return value.map((one, index) => inValue(one, [...at, String(index)]))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inValue(one, [...at, name])]))
  }
  return { document: inValue(document, []), problems }
}
