/** What stands where in a command of sh. Offsets in the command. */
export interface ScannedCommand {
  /** The end of the code, without blanks after it. */
  codeEnd: number
  /** The end of the comment, without blanks after it; that of the code if there is no comment. */
  end: number
  /** The comment with its `#`, or empty. */
  comment: string
  /** Whether something can follow only after `( … )`: it ends with `;` or `&`, or ends or replaces its shell. */
  needsSubshell: boolean
  /** The parts between `;`, `&&`, `||`, `|` and `&`, outside of quotes, in order. */
  parts: string[]
  /** Why nothing can be put behind it, as a part of a sentence. */
  problem: string | null
}

/** What ends the shell in which it stands, or changes how it ends. */
const ENDS_SHELL = /(^|[\s;&|({])(exit|exec|set|trap|return|kill)(?=[\s;&|)}]|$)/

/**
 * Reads a command as sh does, as far as needed to put something behind it: quotes, escapes, `$( )`, backquotes and
 * comments. Source: POSIX, Shell Command Language, 2.2 and 2.3.
 */
export function scanCommand(command: string): ScannedCommand {
  const open: string[] = []
  const parts: string[] = []
  let partStart = 0
  let codeEnd = 0
  let isWordStart = true
  let at = 0
  for (; at < command.length; at++) {
    const char = command[at]!
    const within = open.at(-1)
    if (within === undefined && char === '#' && isWordStart) break
    const isPlain = within === undefined
    isWordStart = isPlain && /[\s;&|()]/.test(char)
    if (within === "'") {
      if (char === "'") open.pop()
    } else if (char === '\\') {
      at += 1
    } else if (char === within) {
      open.pop()
    } else if (char === '`' || char === '"' || (char === "'" && within !== '"')) {
      open.push(char)
    } else if (char === '$' && (command[at + 1] === '(' || command[at + 1] === '{')) {
      open.push(command[at + 1] === '(' ? ')' : '}')
      at += 1
    } else if (within === ')' && char === '(') {
      open.push(')')
    } else if (isPlain && /[;&|\n]/.test(char) && !/[<>]/.test(command[at - 1] ?? '')) {
      parts.push(command.slice(partStart, at))
      partStart = at + 1
    }
    if (!isPlain || !/\s/.test(char)) codeEnd = Math.min(at + 1, command.length)
  }
  parts.push(command.slice(partStart, codeEnd))
  const code = command.slice(0, codeEnd)
  // An escaped blank at the end of the code is no blank.
  const end = Math.max(codeEnd, command.trimEnd().length)
  return {
    codeEnd,
    end,
    comment: at < command.length ? command.slice(at, end) : '',
    needsSubshell: /[;&]$/.test(code) || ENDS_SHELL.test(code),
    parts: parts.map(part => part.trim()).filter(part => part !== ''),
    problem: problemOf(code, open.length > 0, at > command.length),
  }
}

function problemOf(code: string, isOpen: boolean, endsEscaped: boolean): string | null {
  if (code === '') return 'it has no command'
  if (isOpen) return 'its quotes or brackets are not closed'
  if (endsEscaped) return 'it ends with a backslash'
  if (/[|]$|&&$/.test(code)) return 'it ends where another command is expected'
  return null
}
