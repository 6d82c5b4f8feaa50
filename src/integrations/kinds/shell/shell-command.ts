import type { Alert } from '../../../core/alerts/alert.js'
import { ALERT_PLACEHOLDERS, tagPlaceholders } from '../../text/alert-placeholders.js'
import { piecesOf, type Quotes, replacePlaceholders, withQuotes } from './shell-pieces.js'

/** A command, and the environment variables that it uses. */
export interface ShellCommand {
  command: string
  variables: Readonly<Record<string, string>>
}

const some = (names: readonly string[]) => ALERT_PLACEHOLDERS.filter(({ name }) => names.includes(name))

/** Values that users cannot choose, and values that they can. */
const PLAIN = some(['CODE', 'STATUS', 'NOW'])
const NAMED = some(['NAME', 'TAGS'])

/** The placeholders of commands, besides those for tags. */
export const SHELL_PLACEHOLDERS = [...PLAIN, ...NAMED]

/**
 * Expands a template to a command. Names and tags never become part of the command: they are passed in variables, whose
 * values the shell does not parse. Outside quotes, a placeholder is one word. Inside quotes, it is a word with its own
 * quotes where needed, so that the text can be passed to another shell. `\$` does not begin a placeholder.
 * Source: docs/behaviour.md, section 8.4.
 */
export function shellCommand(template: string, alert: Alert): ShellCommand {
  const named = [...NAMED, ...tagPlaceholders(alert)].map(({ name, value }): [string, string] => [
    name,
    value(alert),
  ])
  const plain = Object.fromEntries(PLAIN.map(({ name, value }) => [name, value(alert)]))
  const names = [...Object.keys(plain), ...named.map(([name]) => name)]
  return {
    command: piecesOf(template)
      .map(piece => {
        const replace = (name: string) => plain[name] ?? reference(name, piece.quotes)
        return withQuotes(piece, replacePlaceholders(piece, names, replace))
      })
      .join(''),
    variables: Object.fromEntries(
      named.flatMap(([name, value]) => {
        // Environment variables cannot contain null bytes.
        const text = value.replaceAll('\0', '')
        return [
          [variable(name, 'none'), text],
          [variable(name, 'double'), quoteWord(text)],
        ]
      }),
    ),
  }
}

function reference(name: string, quotes: Quotes): string {
  const text = `\${${variable(name, quotes)}}`
  if (quotes === 'none') return `"${text}"`
  return quotes === 'double' ? text : `'"${text}"'`
}

function variable(name: string, quotes: Quotes): string {
  return quotes === 'none' ? `PUNCTUAL_${name}` : `PUNCTUAL_TYPED_${name}`
}

/** Quotes a text as one word for a POSIX shell. */
function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`
}
