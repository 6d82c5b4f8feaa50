/**
 * Where a command may hold what people named. The shell that runs a command never reads a name as code, see
 * shell-command.ts. A second shell that the command starts reads what it is handed once more, and there a name is
 * safe only as a whole word of a text in one pair of quotes. Whatever is not plainly safe is refused.
 */
import { holds, type Piece, piecesOf, withQuotes, wordsOf } from './shell-pieces.js'

/** Placeholders for what people named; `TAG1` covers `TAG10` as well. */
const NAMED = ['NAME', 'TAGS', ...Array.from('0123456789', digit => `TAG${digit}`)]

/** Not followed by the path of a script, which gets what comes after it as arguments. */
const WITHOUT_SCRIPT = '(?!\\s+[\\w./~])'

/** What reads its arguments or its input as commands of a shell. */
const SHELLS = words(
  `(?:a|ba|da|fi|k|mk|z|c|tc)?sh${WITHOUT_SCRIPT}|ssh|autossh|mosh|rsh|plink|eval|su|runuser|watch|trap|\\$SHELL`,
)
/** What reads an argument as a program of a language with quotes of its own. */
const LANGUAGES = words(
  `(?:perl|python[\\d.]*|ruby|node|php|lua|tclsh|pwsh|osascript)${WITHOUT_SCRIPT}|[gm]?awk|sed|expect|jq|psql|mysql|mariadb|sqlite3`,
)
/** What some shells evaluate once more. */
const EXPRESSIONS = words('let|declare|typeset', '\\(\\(|\\[\\[')

/** A sentence that says why a command may not hold a name as it does, and what to write; null where it may. */
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
  const named = wordsOf(pieces).filter(word => word.some(isNamed))
  if (named.length === 0) return null
  if (!named.every(hasOneLayer)) return 'A name or tag stands in more than one layer of quotes'
  if (count(command, EXPRESSIONS) > 0) return 'A name or tag stands in a command with an expression'
  if (count(command, LANGUAGES) > 0 && !named.every(isAlone)) {
    return 'A name or tag is part of a program in another language'
  }
  const shells = count(command, SHELLS)
  if (shells > 1) return 'A name or tag is read by more than one other shell'
  if (shells === 1 && !named.every(isQuoted)) return 'Another shell would run a name or tag as a command'
  return null
}

function isNamed(piece: Piece): boolean {
  return holds(piece, NAMED)
}

/** Whether a word is free of quotes and escapes, or has one quoted text that is, with every name inside. */
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

/** Whether a word is a placeholder and nothing else. */
function isAlone(word: readonly Piece[]): boolean {
  return word.length === 1 && !isQuoted(word) && /^\$(?:NAME|TAGS|TAG\d+)$/.test(word[0]!.text)
}

/** The command without the quotes right around a name in quotes: `"logger '$NAME'"` becomes `"logger $NAME"`. */
function withoutInnerQuotes(command: string): string {
  const strip = ({ quotes, text }: Piece) =>
    quotes === 'none' ? text : text.replace(/(\\*["'])(\$(?:NAME|TAGS|TAG\d+))\1/g, '$2')
  return piecesOf(command)
    .map(piece => withQuotes(piece, strip(piece)))
    .join('')
}

/** Finds words that stand alone or at the end of a path, and `marks` anywhere. */
function words(names: string, marks = '(?!)'): RegExp {
  return new RegExp(`(?<![\\w.-])(?:${names})(?![\\w.-])|${marks}`, 'g')
}

function count(command: string, wanted: RegExp): number {
  return command.match(wanted)?.length ?? 0
}
