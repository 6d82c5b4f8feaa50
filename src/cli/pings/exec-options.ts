/** The options of `punctual exec`, which are those of static/exec.sh. */

export const EXEC_HELP = `Usage: punctual exec [OPTIONS] [--] COMMAND [ARGUMENTS]

  --url ADDRESS        the check's ping address
  --uuid UUID          the check, at the installation in PUNCTUAL_URL
  --slug SLUG          the same by its slug, with the project's ping key in PUNCTUAL_PING_KEY
  --timeout SECONDS    the longest time for one request (10)
  --retry NUMBER       how often a request is repeated if it fails (1)
  --lock               do not run while this check's command runs already (exit status 75)
  --metric-from REGEX  send the numbers in what matches, such as "rows: [0-9]+"
  --quiet              no messages of its own
`

export interface ExecOptions {
  /** The check's ping address, without a slash at its end. */
  url: string
  /** Further parameters of its query, each after `&`; empty if there are none. */
  query: string
  timeoutSeconds: number
  retries: number
  locks: boolean
  metricFrom: RegExp | null
  isQuiet: boolean
  command: [string, ...string[]]
}

/** What is wrong with the options, in words for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const VALUES = ['--url', '--uuid', '--slug', '--timeout', '--retry', '--metric-from'] as const
const FLAGS = ['--lock', '--quiet', '--help'] as const

type Env = Readonly<Record<string, string | undefined>>

/** Reads the arguments after `exec`; null if help is asked for. Throws a `UsageError`. */
export function readExecOptions(args: readonly string[], env: Env): ExecOptions | null {
  const values = new Map<string, string>()
  const flags = new Set<string>()
  let place = 0
  for (; args[place]?.startsWith('-'); place++) {
    const name = args[place]!
    if (name === '--') {
      place++
      break
    }
    if (FLAGS.some(flag => flag === name)) flags.add(name)
    else if (VALUES.some(value => value === name)) {
      const value = args[++place]
      if (value === undefined) throw new UsageError(`${name} needs a value`)
      values.set(name, value)
    } else throw new UsageError(`unknown option ${name}`)
  }
  if (flags.has('--help')) return null
  const [program, ...rest] = args.slice(place)
  if (program === undefined) throw new UsageError('there is no command to run; see --help')
  const { url, query } = addressOf(values, env)
  return {
    url,
    query,
    timeoutSeconds: wholeNumber(values.get('--timeout') ?? '10'),
    retries: wholeNumber(values.get('--retry') ?? '1'),
    locks: flags.has('--lock'),
    metricFrom: patternOf(values.get('--metric-from')),
    isQuiet: flags.has('--quiet'),
    command: [program, ...rest],
  }
}

function addressOf(values: ReadonlyMap<string, string>, env: Env): Pick<ExecOptions, 'url' | 'query'> {
  const site = (env.PUNCTUAL_URL ?? '').replace(/\/$/, '')
  const [uuid, slug] = [values.get('--uuid'), values.get('--slug')]
  let address = values.get('--url') ?? ''
  if (uuid) address = `${site}/ping/${uuid}`
  if (slug?.includes('/')) address = `${site}/ping/${slug}`
  else if (slug) {
    if (!env.PUNCTUAL_PING_KEY) throw new UsageError('PUNCTUAL_PING_KEY is needed with --slug')
    address = `${site}/ping/${env.PUNCTUAL_PING_KEY}/${slug}`
  }
  if (!/^[!#-[\]-~]*$/.test(address)) {
    throw new UsageError('the address of the check has characters that no address has')
  }
  if (!/^https?:\/\/[^/]+\/./.test(address)) {
    throw new UsageError('which check? Give --url, or --uuid or --slug with PUNCTUAL_URL')
  }
  const [url = '', ...query] = address.split('?')
  return { url: url.replace(/\/$/, ''), query: query.length === 0 ? '' : `&${query.join('?')}` }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError('a time limit and a number of retries are whole numbers')
  return Number(text)
}

function patternOf(text: string | undefined): RegExp | null {
  try {
    return text ? new RegExp(text, 'gm') : null
  } catch {
    throw new UsageError('--metric-from is not a regular expression')
  }
}
