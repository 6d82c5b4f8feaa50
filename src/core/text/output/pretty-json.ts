const INDENT = '  '

/** Longer texts take too long. Deeper nested ones, and those that would grow more than this, are no easier to read. */
const MOST_CHARACTERS = 32_000
const MOST_DEPTH = 40
const MOST_GROWTH = 6

/** Strings, punctuation, and the other values. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

/**
 * A JSON object or array with a line for each value; null for other texts. Its values stay as they were sent: a number
 * keeps all its digits, an object its duplicate names.
 */
export function prettyJson(text: string): string | null {
  if (text.length > MOST_CHARACTERS || !/^\s*[{[]/.test(text) || !isJson(text)) return null
  const longest = text.length * MOST_GROWTH + 1_000
  let [pretty, depth, before] = ['', 0, '']
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']'
    if (closes) depth -= 1
    const isEmpty = closes && (before === '{' || before === '[')
    const breaks = (closes || before === '{' || before === '[' || before === ',') && !isEmpty && before !== ''
    pretty += breaks ? `\n${INDENT.repeat(depth)}${token}` : before === ':' ? ` ${token}` : token
    if (token === '{' || token === '[') depth += 1
    if (depth > MOST_DEPTH || pretty.length > longest) return null
    before = token
  }
  return pretty
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
