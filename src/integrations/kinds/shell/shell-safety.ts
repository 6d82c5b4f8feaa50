/**
 * Checks where a command uses names and tags. The shell that runs a command never interprets a name as code, see
 * shell-command.ts. But a second shell that the command starts parses its text again, and there a name is safe only as a
 * whole word inside one pair of quotes. Everything that is not clearly safe is refused.
 */
import { holds, type Piece, piecesOf, withQuotes, wordsOf } from './shell-pieces.js'
import {
  countExpressions,
  countLanguages,
  countOthers,
  countShells,
  pipesIntoLanguage,
  startsLanguage,
} from './shell-readers.js'

/** Placeholders for names and tags; `TAG1` also matches `TAG10`. */
const NAMED = ['NAME', 'TAGS', ...Array.from('0123456789', digit => `TAG${digit}`)]

/** A reference to a variable that contains a name or tag. */
const VARIABLE = /\$\{?PUNCTUAL_/

/** A sentence that says why a command uses a name unsafely and what to write instead; null if it is safe. */
export function unsafePlacement(command: string): string | null {
  const problem = problemOf(command)
  if (problem === null) return null
  const better = withoutInnerQuotes(command)
  return problemOf(better) === null ? `${problem}. Write: ${better}` : `${problem}. ${ADVICE}`
}

const ADVICE =
  'Hand it over as a word of its own, such as: /usr/local/bin/notify $NAME. ' +
  'A command in quotes may hold it without quotes of its own, such as: ssh host "logger $NAME". ' +
  `Scripts and other shells on this machine read a variable: sh -c 'logger "$PUNCTUAL_NAME"'.`

function problemOf(command: string): string | null {
  const pieces = piecesOf(command)
  const words = wordsOf(pieces).filter(word => word.length > 0)
  const named = words.filter(word => word.some(isNamed))
  const usesVariable = pieces.some(({ quotes, text }) => quotes !== 'single' && VARIABLE.test(text))
  if (named.length === 0 && !VARIABLE.test(command)) return null
  const shells = countShells(command)
  if (command.includes('<<')) return 'A name or tag stands in a command with a here-document'
  if (isStarted(pieces, shells > 0)) return 'A name or tag would be started as a command'
  if (!named.every(hasOneLayer)) return 'A name or tag stands in more than one layer of quotes'
  if (countExpressions(command) > 0) return 'A name or tag stands in a command with an expression'
  if (countOthers(command) > 0) return 'A name or tag is read by a program with rules of its own'
  if (countLanguages(command) > 0) {
    const isInProgram = words.some((word, at) => isNamedOrVariable(word) && !isArgument(word, words[at - 1]))
    if (isInProgram || pipesIntoLanguage(command)) {
      return 'A name or tag is part of a program in another language'
    }
  }
  if (shells > 1) return 'A name or tag is read by more than one other shell'
  if (shells === 1 && (usesVariable || !named.every(isQuoted))) {
    return 'Another shell would run a name or tag as a command'
  }
  return null
}

/** Whether a name is where the shell, or another shell that gets a quoted text, expects a command. */
function isStarted(pieces: readonly Piece[], hasShell: boolean): boolean {
  const name = String.raw`\$\{?(?:PUNCTUAL_|NAME|TAGS|TAG\d)`
  const begins = new RegExp(`(?:^|[\\n;|&({!\`]|\\b(?:then|do|else|exec|eval|command)\\s)\\s*"?${name}`)
  const outside = pieces.map(({ quotes, text }) =>
    quotes === 'none' ? text : text.startsWith('$') ? text : 'quoted',
  )
  if (begins.test(outside.join(''))) return true
  const isAssigned = (word: readonly Piece[]) => word[0]?.quotes === 'none' && word[0].text.includes('=')
  const handed = wordsOf(pieces)
    .filter(word => !isAssigned(word))
    .flat()
  return hasShell && handed.some(({ quotes, text }) => quotes !== 'none' && begins.test(text))
}

function isNamedOrVariable(word: readonly Piece[]): boolean {
  return word.some(piece => isNamed(piece) || (piece.quotes !== 'single' && VARIABLE.test(piece.text)))
}

/** Whether a name is a separate word that does not follow an option or the name of an interpreter. */
function isArgument(word: readonly Piece[], before: readonly Piece[] = []): boolean {
  const text = before.map(({ text }) => text).join('')
  return isAlone(word) && !text.startsWith('-') && !startsLanguage(text)
}

function isNamed(piece: Piece): boolean {
  return holds(piece, NAMED)
}

/** Whether a word has no quotes or escapes, or one quoted text without inner ones that contains every name. */
function hasOneLayer(word: readonly Piece[]): boolean {
  const quoted = word.filter(({ quotes }) => quotes !== 'none')
  const bare = word.filter(({ quotes }) => quotes === 'none')
  if (bare.some(({ text }) => text.includes('\\'))) return false
  if (quoted.length === 0) return true
  const [text] = quoted
  return quoted.length === 1 && text!.closed && !/["'\\`]|\$\(/.test(text!.text) && !bare.some(isNamed)
}

function isQuoted(word: readonly Piece[]): boolean {
  return word.some(({ quotes }) => quotes !== 'none')
}

/** Whether a word is only a placeholder or its variable. */
function isAlone(word: readonly Piece[]): boolean {
  return word.length === 1 && (/^\$PUNCTUAL_\w+$/.test(word[0]!.text) || isBarePlaceholder(word[0]!))
}

function isBarePlaceholder({ quotes, text }: Piece): boolean {
  return quotes === 'none' && /^\$(?:NAME|TAGS|TAG\d+)$/.test(text)
}

/** Removes inner quotes around a name: `"logger '$NAME'"` becomes `"logger $NAME"`. */
function withoutInnerQuotes(command: string): string {
  const strip = ({ quotes, text }: Piece) =>
    quotes === 'none' ? text : text.replace(/(\\*["'])(\$(?:NAME|TAGS|TAG\d+))\1/g, '$2')
  return piecesOf(command)
    .map(piece => withQuotes(piece, strip(piece)))
    .join('')
}
