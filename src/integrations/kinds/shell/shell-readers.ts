/** Finds programs in a shell command that interpret text as commands, by their names. */

/** Not followed by the path of a script, which gets the rest as arguments. */
const NO_SCRIPT = String.raw`(?!\s+(?!\S*\b(?:dev|proc)\b)[\w./~])`
const SHELLS = '(?:a|r?ba|da|fi|r?k|l?k|mk|pdk|z|c|tc|ya)?sh'
const LANGUAGES = String.raw`(?:perl|python[\d.]*|ruby|node|php|lua|tclsh|pwsh|osascript)`

/** Counts programs that run their arguments or input as shell commands. Scripts count only with pipes or redirection. */
export function countShells(command: string): number {
  const flows = /[|<>]/.test(withoutHarmlessMarks(command))
  return count(command, [
    words(SHELLS + (flows ? '' : NO_SCRIPT)),
    words(String.raw`ssh|autossh|mosh|rsh|plink|dbclient|pdsh|pssh|clush|eval|su|runuser|watch|trap|\$SHELL`),
    atCommandStart(String.raw`at|batch|flock|script|source|\.`),
  ])
}

/** Counts programs with their own syntax for quotes, keys or expressions, in which no quoting makes a name safe. */
export function countOthers(command: string): number {
  return count(command, [
    words('fish|t?csh|elvish|xonsh|tmux|send-keys|stuff|xdotool|expect|crontab|gdb'),
    atCommandStart('screen|parallel|dc|bc|ed|ex|vim?|m4'),
  ])
}

/** Counts programs that run an argument as code in another language. */
export function countLanguages(command: string): number {
  return count(command, [
    words(LANGUAGES + NO_SCRIPT),
    words('[gmn]?awk|sed|jq|psql|mysql|mariadb|sqlite3'),
    atCommandStart('g?make'),
  ])
}

/** Whether a word starts a program that runs an argument or its input as code in another language. */
export function startsLanguage(word: string): boolean {
  return countLanguages(word) > 0
}

/** Counts expressions that some shells evaluate again. */
export function countExpressions(command: string): number {
  return count(command, [words('let|declare|typeset'), /\(\(|\[\[/g])
}

/** Whether piped text may be run as code in another language. */
export function pipesIntoLanguage(command: string): boolean {
  const flow = withoutHarmlessMarks(command)
  return new RegExp(
    String.raw`[|<].*(?<![\w.-])(?:${LANGUAGES}|psql|mysql|mariadb|sqlite3)(?![\w.-])`,
    's',
  ).test(flow)
}

/** Removes `||` and redirections that discard output. */
function withoutHarmlessMarks(command: string): string {
  return command.replace(/\|\||&?\d?>>?\s*(?:\/dev\/null|&\d)/g, ' ; ')
}

/** Matches separate words, also at the end of a path. */
function words(names: string): RegExp {
  return new RegExp(String.raw`(?<![\w.-])(?:${names})(?![\w.-])`, 'g')
}

/** Matches words only where a command begins, because they are also ordinary words. */
function atCommandStart(names: string): RegExp {
  const before =
    String.raw`(?:^|[\n;|&({!` +
    '`' +
    String.raw`]|\b(?:sudo|env|exec|command|builtin|nohup|time|then|do|else)(?:\s+-\S+)*\s)`
  return new RegExp(String.raw`${before}\s*(?:[\w./-]*/)?(?:${names})(?![\w.-])`, 'g')
}

function count(command: string, wanted: readonly RegExp[]): number {
  return wanted.reduce((sum, expression) => sum + (command.match(expression)?.length ?? 0), 0)
}
