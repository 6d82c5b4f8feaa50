/** The programs that read text as commands, as far as a word of a shell command shows that it starts one. */

/** Not followed by the path of a script, which gets what comes after it as arguments. */
const NO_SCRIPT = String.raw`(?!\s+(?!\S*\b(?:dev|proc)\b)[\w./~])`
const SHELLS = '(?:a|r?ba|da|fi|r?k|l?k|mk|pdk|z|c|tc|ya)?sh'
const LANGUAGES = String.raw`(?:perl|python[\d.]*|ruby|node|php|lua|tclsh|pwsh|osascript)`

/** What reads its arguments or its input as commands of a shell; a script only where something is piped or written. */
export function countShells(command: string): number {
  const flows = /[|<>]/.test(withoutHarmlessMarks(command))
  return count(command, [
    words(SHELLS + (flows ? '' : NO_SCRIPT)),
    words(String.raw`ssh|autossh|mosh|rsh|plink|dbclient|pdsh|pssh|clush|eval|su|runuser|watch|trap|\$SHELL`),
    started(String.raw`at|batch|flock|script|source|\.`),
  ])
}

/** What reads commands with quotes, keys or expressions of its own, so that a name is safe in no quotes. */
export function countOthers(command: string): number {
  return count(command, [
    words('fish|t?csh|elvish|xonsh|tmux|send-keys|stuff|xdotool|expect|crontab|gdb'),
    started('screen|parallel|dc|bc|ed|ex|vim?|m4'),
  ])
}

/** What reads an argument as a program of a language with quotes of its own. */
export function countLanguages(command: string): number {
  return count(command, [
    words(LANGUAGES + NO_SCRIPT),
    words('[gmn]?awk|sed|jq|psql|mysql|mariadb|sqlite3'),
    started('g?make'),
  ])
}

/** Whether a word starts a program that reads an argument, or its input, as a program of a language. */
export function startsLanguage(word: string): boolean {
  return countLanguages(word) > 0
}

/** What some shells evaluate once more. */
export function countExpressions(command: string): number {
  return count(command, [words('let|declare|typeset'), /\(\(|\[\[/g])
}

/** Whether what is written into a pipe may be read as a program. */
export function pipesIntoLanguage(command: string): boolean {
  const flow = withoutHarmlessMarks(command)
  return new RegExp(
    String.raw`[|<].*(?<![\w.-])(?:${LANGUAGES}|psql|mysql|mariadb|sqlite3)(?![\w.-])`,
    's',
  ).test(flow)
}

/** Without `||`, and without what sends output nowhere. */
function withoutHarmlessMarks(command: string): string {
  return command.replace(/\|\||&?\d?>>?\s*(?:\/dev\/null|&\d)/g, ' ; ')
}

/** Finds words that stand alone or at the end of a path. */
function words(names: string): RegExp {
  return new RegExp(String.raw`(?<![\w.-])(?:${names})(?![\w.-])`, 'g')
}

/** Finds ordinary words where a command begins. */
function started(names: string): RegExp {
  const before =
    String.raw`(?:^|[\n;|&({!` +
    '`' +
    String.raw`]|\b(?:sudo|env|exec|command|builtin|nohup|time|then|do|else)(?:\s+-\S+)*\s)`
  return new RegExp(String.raw`${before}\s*(?:[\w./-]*/)?(?:${names})(?![\w.-])`, 'g')
}

function count(command: string, wanted: readonly RegExp[]): number {
  return wanted.reduce((sum, expression) => sum + (command.match(expression)?.length ?? 0), 0)
}
