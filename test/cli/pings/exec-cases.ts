/** What both wrappers of commands do: one row for each case. */

export interface Case {
  name: string
  /** The options; by default the address of the check. `ROOT` is the server, `CHECK` the check. */
  options?: string[]
  /** The command: a script for sh, or a list. */
  run: string | string[]
  input?: string | Buffer
  env?: Record<string, string>
  /** How the server answers: the beginning of the name of the check. */
  server?: string
  status?: number
  /** Absent: empty. A pattern if it is one. */
  out?: string | RegExp | Buffer
  err?: string | RegExp
  /** What the wrapper itself says; absent: nothing. */
  said?: RegExp
  /** The actions of the pings that were taken; absent: the start and the exit status. */
  sent?: string[]
  /** The body of the end. */
  body?: string | RegExp | Buffer
  query?: Record<string, string>
  /** What stays in the spool. */
  kept?: string[]
}

const exits = (status: number): Case => ({ name: `exit status ${status}`, run: `exit ${status}`, status })
const dies = (signal: string, status: number): Case => ({
  name: `a command that ${signal} ends`,
  run: `kill -${signal} $$`,
  status,
})
const refused = (name: string, options: string[], said: RegExp): Case => ({
  name,
  options,
  run: 'echo ran',
  status: 2,
  said,
  sent: [],
})
const BOTH = ['begin', 'end']
const unsettled = (name: string, server: string): Case => ({
  name,
  server,
  options: ['--url', 'ROOT/ping/CHECK', '--retry', '0', '--timeout', '1'],
  run: 'echo ran; exit 4',
  out: 'ran\n',
  status: 4,
  sent: [],
  said: /could not be reached; the ping is kept/,
  kept: BOTH,
})
const dropped = (status: number): Case => ({
  name: `a server that answers ${status}`,
  server: String(status),
  run: 'echo ran; exit 4',
  out: 'ran\n',
  status: 4,
  sent: [],
  said: new RegExp(`refused a ping with status ${status}`),
})
const bytes = Buffer.from([255, 254, 10, 128, 13, 10])
const quiet = ['--url', 'ROOT/ping/CHECK', '--quiet']

export const CASES: Case[] = [
  ...[0, 1, 2, 3, 42, 75, 125, 126, 127, 128, 130, 255].map(exits),
  ...(
    [
      ['TERM', 143],
      ['KILL', 137],
      ['INT', 130],
      ['HUP', 129],
      ['SEGV', 139],
      ['USR1', 138],
    ] as const
  ).map(([signal, status]) => dies(signal, status)),
  {
    name: 'a command that is not there',
    run: ['no-such-command'],
    status: 127,
    err: /|not found/,
    said: /|not found/,
    body: /|not found/,
  },
  {
    name: 'a command that may not be run',
    run: ['/dev/null'],
    status: 126,
    err: /|ermission/,
    said: /|ermission/,
    body: /|ermission/,
  },
  { name: 'output', run: 'echo hello', out: 'hello\n', body: 'hello\n' },
  { name: 'errors', run: 'echo no >&2', err: 'no\n', body: 'no\n' },
  { name: 'both apart', run: 'echo a; echo b >&2', out: 'a\n', err: 'b\n', body: /^(a\nb|b\na)\n$/ },
  { name: 'output without a line end', run: 'printf x', out: 'x', body: 'x' },
  { name: 'no output', run: 'true', body: '' },
  { name: 'bytes that are no UTF-8', run: "printf '\\377\\376\\n\\200\\r\\n'", out: bytes, body: bytes },
  { name: 'input', run: 'cat', input: 'given\n', out: 'given\n', body: 'given\n' },
  {
    name: 'input of many bytes',
    run: 'wc -c',
    input: Buffer.alloc(1_000_000, 'x'),
    out: /^ *1000000\n$/,
    body: /1000000/,
  },
  { name: 'input that is not read', run: 'true', input: 'given\n' },
  {
    name: 'output through /dev/stdout and /dev/stderr',
    run: 'echo a > /dev/stdout; echo b > /dev/stderr',
    out: 'a\n',
    err: 'b\n',
    body: /a/,
  },
  { name: 'a closed output', run: 'exec >&-; echo b >&2', err: 'b\n', body: 'b\n' },
  {
    name: 'long output: the end is sent',
    run: 'seq 1 200000',
    out: /^1\n2\n[\s\S]*\n200000\n$/,
    body: /^[\s\S]{99990,100000}$/,
  },
  {
    name: 'a long line',
    run: "head -c 300000 /dev/zero | tr '\\000' x",
    out: /^x{300000}$/,
    body: /^x{100000}$/,
  },
  {
    name: 'a server that keeps less',
    server: 'short',
    run: 'seq 1 100',
    out: /^1\n/,
    body: /^[\s\S]{49,50}$/,
  },
  {
    name: 'a child in the background that keeps the output open',
    run: '(sleep 3; echo later) & echo now',
    out: 'now\nlater\n',
    body: 'now\n',
  },
  {
    name: 'a child in the background with closed output',
    run: 'sleep 3 >/dev/null 2>&1 & echo now',
    out: 'now\n',
    body: 'now\n',
  },
  {
    name: 'arguments with spaces and quotes',
    run: ['printf', '[%s]', 'a b', "it's", '"q"', '$HOME', '`id`'],
    out: '[a b][it\'s]["q"][$HOME][`id`]',
    body: /it's/,
  },
  {
    name: 'arguments with backslashes, stars and line ends',
    run: ['printf', '[%s]', '\\n', '*', 'a\nb', ''],
    out: '[\\n][*][a\nb][]',
    body: /\*/,
  },
  {
    name: 'arguments like options',
    run: ['printf', '%s ', '--quiet', '--url', '--', '-x'],
    out: '--quiet --url -- -x ',
    body: /quiet/,
  },
  {
    name: 'a command with an equals sign is not a variable',
    run: ['A=1', 'true'],
    status: 127,
    err: /|A=1/,
    said: /|A=1/,
    body: /|A=1/,
  },
  {
    name: 'the environment',
    run: 'printf "%s" "$ODD"',
    env: { ODD: ' a\n"b" \\ $c ' },
    out: ' a\n"b" \\ $c ',
    body: /"b"/,
  },
  { name: 'no variables of its own', run: 'env | grep -c "^px_"', status: 1, out: '0\n', body: '0\n' },
  { name: 'the working folder', run: 'pwd', out: /punctual-wrappers/, body: /punctual-wrappers/ },
  { name: 'no other open files', run: 'ls /dev/fd | grep -c "[89]"', status: 1, out: '0\n', body: '0\n' },
  { name: 'a command that is in a folder', run: ['/bin/echo', 'a'], out: 'a\n', body: 'a\n' },
  {
    name: 'without --',
    options: ['--url', 'ROOT/ping/CHECK', 'NO--'],
    run: 'echo a',
    out: 'a\n',
    body: 'a\n',
  },
  { name: 'a slash at the end of the address', options: ['--url', 'ROOT/ping/CHECK/'], run: 'true' },
  {
    name: 'an address with a query',
    options: ['--url', 'ROOT/ping/CHECK?create=1'],
    run: 'true',
    query: { create: '1' },
  },
  { name: '--uuid', options: ['--uuid', 'CHECK'], env: { PUNCTUAL_URL: 'ROOT' }, run: 'true' },
  {
    name: '--uuid at an address with a slash',
    options: ['--uuid', 'CHECK'],
    env: { PUNCTUAL_URL: 'ROOT/' },
    run: 'true',
  },
  {
    name: '--quiet and a server that is away',
    server: 'away',
    options: ['--url', 'http://127.0.0.1:9/ping/CHECK', '--quiet', '--retry', '0'],
    run: 'exit 4',
    status: 4,
    sent: [],
    kept: BOTH,
  },
  {
    ...unsettled('a server that is away', 'away'),
    options: ['--url', 'http://127.0.0.1:9/ping/CHECK', '--retry', '0'],
  },
  unsettled('a server that does not answer', 'slow'),
  unsettled('a server that answers 503', '503'),
  unsettled('a server that answers 500', '500'),
  unsettled('a server that answers 429', '429'),
  dropped(400),
  dropped(404),
  dropped(409),
  {
    name: 'a server that takes the second try',
    server: 'flaky',
    options: ['--url', 'ROOT/ping/CHECK', '--retry', '1'],
    run: 'exit 4',
    status: 4,
  },
  {
    name: 'a start that is sent before its end, with its time',
    server: 'flaky',
    options: ['--url', 'ROOT/ping/CHECK', '--retry', '0'],
    run: 'exit 4',
    status: 4,
  },
  {
    name: 'a spool that cannot be written',
    env: { PUNCTUAL_SPOOL: '/dev/null/spool' },
    run: 'echo a',
    out: 'a\n',
    body: 'a\n',
  },
  {
    name: 'a spool that would be in /proc',
    env: { PUNCTUAL_SPOOL: '/proc/self/cwd/no/such' },
    run: 'echo a',
    out: 'a\n',
    body: 'a\n',
  },
  {
    name: 'no folder for temporary files',
    env: { TMPDIR: '/dev/null/tmp' },
    options: quiet,
    run: 'echo a; exit 3',
    out: 'a\n',
    status: 3,
    body: /|a\n/,
  },
  {
    name: 'neither spool nor temporary files',
    env: { TMPDIR: '/dev/null/tmp', PUNCTUAL_SPOOL: '/dev/null/spool' },
    options: quiet,
    run: 'echo a; exit 3',
    out: 'a\n',
    status: 3,
    body: /|a\n/,
  },
  {
    name: 'numbers in the output',
    options: ['--url', 'ROOT/ping/CHECK', '--metric-from', '(rows|Bytes): [0-9.e]+'],
    run: 'echo "rows: 15 files, Bytes: 1.5e9"',
    out: /rows/,
    body: /rows/,
    query: { metric: 'bytes:1.5e9' },
  },
  {
    name: 'no numbers in the output',
    options: ['--url', 'ROOT/ping/CHECK', '--metric-from', 'rows: [0-9]+'],
    run: 'echo nothing',
    out: 'nothing\n',
    body: 'nothing\n',
  },
  refused('no check', [], /which check/),
  refused('an unknown option', ['--url', 'ROOT/ping/CHECK', '--nonsense'], /unknown option --nonsense/),
  refused('an address that is none', ['--url', 'nonsense'], /which check/),
  refused('an address with a space', ['--url', 'ROOT/ping/a b'], /characters/),
  refused('an address with a quote', ['--url', 'ROOT/ping/a"b'], /characters/),
  refused('a time limit that is none', ['--url', 'ROOT/ping/CHECK', '--timeout', 'soon'], /whole numbers/),
  { name: 'help', options: ['--help'], run: 'echo ran', out: /^Usage: [\s\S]*--metric-from/, sent: [] },
]
