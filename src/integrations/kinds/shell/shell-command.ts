import type { Alert } from '../../../core/alerts/alert.js'
import { ALERT_PLACEHOLDERS, tagPlaceholders } from '../../text/alert-placeholders.js'
import { piecesOf, type Quotes, replacePlaceholders, withQuotes } from './shell-pieces.js'

/** A command, and the variables that it refers to. */
export interface ShellCommand {
  command: string
  variables: Readonly<Record<string, string>>
}

const some = (names: readonly string[]) => ALERT_PLACEHOLDERS.filter(({ name }) => names.includes(name))

/** What no person chose, and what people named. */
const PLAIN = some(['CODE', 'STATUS', 'NOW'])
const NAMED = some(['NAME', 'TAGS'])

/** What a command may contain, besides tags. */
export const SHELL_PLACEHOLDERS = [...PLAIN, ...NAMED]

/**
 * The command that a template with placeholders stands for. What people named never becomes part of it: in its place
 * stands a variable, which the shell replaces and does not read again. Outside of quotes a placeholder is one word;
 * inside it is the word as it would be typed, with quotes of its own where it needs some, so that it may be handed to
 * another shell. `\$` is no placeholder. Source: docs/behaviour.md, section 8.4.
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
        // The system passes on no zero byte.
        const text = value.replaceAll('\0', '')
        return [
          [variable(name, 'none'), text],
          [variable(name, 'double'), typed(text)],
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

/** A text as a word that is typed into a POSIX shell. */
function typed(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`
}
