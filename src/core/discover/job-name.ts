/** Steps that prepare a job, and are not the job. */
const PREPARES = /^(cd|test|\[|\[\[|export|\.|source|sleep|umask|mkdir|command|\{|\(|set|ulimit|true|:|echo)$/

/** Programs that start the one after them, with the options of theirs that take a value. */
const STARTS: Record<string, RegExp> = {
  sudo: /^-[ugpCh]$/,
  nice: /^-n$/,
  ionice: /^-[cnp]$/,
  env: /^-[uC]$/,
  flock: /^-[wE]$/,
  timeout: /^-[ks]$/,
  chronic: /^$/,
  cronic: /^$/,
  nohup: /^$/,
  time: /^-[fo]$/,
  setsid: /^$/,
  exec: /^-a$/,
  chpst: /^-[ueb/]$/,
}

/** Of these the argument says more than the program. */
const RUNS_A_FILE = /^(python|perl|ruby|node|php|bash|sh|dash|zsh|java|Rscript)[\d.]*$/

/** Of these the first words belong to the name. */
const HAS_SUBCOMMANDS =
  /^(artisan|manage|console|certbot|restic|borg|borgmatic|rclone|docker|docker-compose|podman|git|npm|npx|make|systemctl|drush|wp|occ|rails|rake|bundle|apt|apt-get|kubectl|aws|zfs|btrfs|service)$/

/** A name for what a command runs: `backup` for `cd /srv && nice -n 10 /usr/local/bin/backup.sh -q`. */
export function jobName(parts: readonly string[]): string {
  const jobs = parts.map(wordsOf).filter(words => words.length > 0)
  const main = jobs.find(words => !PREPARES.test(words[0]!)) ?? jobs[0] ?? []
  const [program = '', ...rest] = main
  if (base(program) === 'run-parts') return base(rest.at(-1) ?? '') || 'run-parts'
  const [file, ...after]: (string | undefined)[] = RUNS_A_FILE.test(base(program)) ? fileOf(rest) : []
  const name = plain(base(file ?? program))
  const words = file === undefined ? rest : (after as string[])
  const subcommand = HAS_SUBCOMMANDS.test(name)
    ? words.filter(word => /^[a-z][\w:.-]*$/i.test(word)).slice(0, 2)
    : []
  return (
    [name, ...subcommand]
      .filter(word => word !== '')
      .join(' ')
      .slice(0, 60) || 'job'
  )
}

/** The words of a part from its program on: without settings of variables, and what only starts another program. */
function wordsOf(part: string): string[] {
  const words = part
    .replace(/^[\s({]+/, '')
    .split(/\s+/)
    .map(word => word.replace(/^["']|["')]$/g, ''))
  for (;;) {
    while (/^\w+=/.test(words[0] ?? '')) words.shift()
    const program = base(words[0] ?? '')
    const takesValue = Object.hasOwn(STARTS, program) ? STARTS[program]! : null
    if (takesValue === null || words.length < 2) return words.filter(word => word !== '')
    words.shift()
    while (/^-/.test(words[0] ?? '')) if (takesValue.test(words.shift()!)) words.shift()
    // The file of a lock, and the time until a timeout.
    if (program === 'flock' || program === 'timeout') words.shift()
    while (/^-/.test(words[0] ?? '')) words.shift()
  }
}

/** From the file or module that an interpreter runs on. */
function fileOf(words: readonly string[]): string[] {
  const at = words.findIndex(word => !word.startsWith('-'))
  return at < 0 || words[at - 1] === '-c' || words[at - 1] === '-e' || words[at - 1] === '-r'
    ? []
    : words.slice(at)
}

function base(path: string): string {
  return (
    path
      .split('/')
      .filter(part => part !== '')
      .at(-1) ?? ''
  )
}

function plain(file: string): string {
  return file.replace(/(?<=.)\.(sh|py|pl|rb|js|mjs|php|bash|jar|R)$/, '').replace(/[^\p{L}\p{N}._ -]/gu, '')
}
