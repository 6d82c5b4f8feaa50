import { scheduleProblem } from '../schedule/schedule-problem.js'
import { jobName } from './job-name.js'
import {
  graceOf,
  keptElsewhere,
  type Naming,
  nameCheck,
  type ProposedCheck,
  tagsOf,
} from './proposed-check.js'
import { type CrontabFormat, type CrontabJob, MAX_COMMAND, readCrontab } from './read-crontab.js'
import { type ScannedCommand, scanCommand } from './scan-command.js'

/** A line of a crontab, and the check that it has or would get. */
export interface PlannedLine {
  line: number
  text: string
  /** Null for a line that is left alone, for this reason. */
  check: ProposedCheck | null
  reason: string | null
  /** The address that the line pings already, by an earlier plan; null for a line that does not. */
  pings: string | null
  job: CrontabJob
  scanned: ScannedCommand
}

export interface CrontabSource extends Naming {
  /** Its name, if several are planned together. */
  file?: string
  format: CrontabFormat
  /** The zone of the machine: canonical. */
  tz: string
  /** The current instant, in ms. */
  now: number
}

/** The most characters of a crontab that is pasted, and the most jobs. */
export const MAX_PASTED = 65_536
export const MAX_PASTED_JOBS = 200

/** How a rewritten line pings. `$?` is the exit status of what stands before. */
const PING = 'curl -fsS -m 10 --retry 5 -o /dev/null'

const WRITTEN = new RegExp(`; ${PING} (\\S+)/\\$\\?$`)

/** The comment by which a line keeps its check. */
const KEEPS = /#\s*punctual:\s*([a-z0-9_-]{1,100})$/

const PINGS_ALREADY = /https?:\/\/(\S*(hc-ping\.com|healthchecks\.io|cronitor\.link)\S*|\S+\/ping\/\S+)/

/** The slugs that lines of a crontab keep. A plan of several files reserves those of all files first. */
export function keptSlugs(text: string, format: CrontabFormat): string[] {
  return readCrontab(text, format).flatMap(
    ({ problem, start, end }) => (problem === null && slugOf(scanCommand(text.slice(start, end)))) || [],
  )
}

/** A check for every job of a crontab, or the reason why it gets none. */
export function planCrontab(text: string, source: CrontabSource): PlannedLine[] {
  const lines = readCrontab(text, source.format).map(job => {
    // What cannot have a check may be of any length, and is not read on.
    const scanned = scanCommand(job.problem === null ? text.slice(job.start, job.end) : '')
    const slug = slugOf(scanned)
    return { job, scanned, slug, code: text.slice(job.start, job.start + scanned.codeEnd) }
  })
  // Lines that were written before keep their slugs, whatever stands above them now.
  for (const { slug } of lines) if (slug !== null) source.taken.add(slug)
  const { file = '', keepers = new Map() } = source
  return lines.map(({ job, scanned, slug, code }) => {
    const pings = slug === null ? null : (WRITTEN.exec(code)?.[1]?.replaceAll('\\%', '%') ?? null)
    const copied = slug === null ? null : keptElsewhere(slug, { file, line: job.line }, keepers)
    const reason = copied ?? reasonOf(job, scanned, code, pings !== null)
    const check = reason === null ? checkOf(job, scanned, slug, source) : null
    return { line: job.line, text: job.text, check, reason, pings, job, scanned }
  })
}

/**
 * The text with lines that ping: `addresses` has the address for the number of a line. Only what is added differs; a
 * line that pings this address already stays as it is.
 */
export function rewriteCrontab(
  text: string,
  plan: readonly PlannedLine[],
  addresses: ReadonlyMap<number, string>,
): string {
  let written = ''
  let from = 0
  for (const planned of plan) {
    const address = addresses.get(planned.line)
    if (address === undefined || planned.check === null || planned.pings === address) continue
    const { start, end } = planned.job
    written += text.slice(from, start) + rewriteCommand(text.slice(start, end), planned, address)
    from = end
  }
  return written + text.slice(from)
}

function slugOf({ comment }: ScannedCommand): string | null {
  return KEEPS.exec(comment)?.[1] ?? null
}

function rewriteCommand(command: string, planned: PlannedLine, address: string): string {
  const { codeEnd, end, comment, needsSubshell } = planned.scanned
  const code = command.slice(0, codeEnd)
  const escaped = address.replaceAll('%', '\\%')
  if (planned.pings !== null) {
    return code.replace(WRITTEN, () => `; ${PING} ${escaped}/$?`) + command.slice(codeEnd)
  }
  const job = needsSubshell ? `( ${code} )` : code
  const mark = KEEPS.test(comment) ? '' : ` # punctual: ${planned.check!.slug}`
  // A comment may touch the code only behind some characters.
  const gap = command[codeEnd] === '#' ? ' ' : ''
  return `${job}; ${PING} ${escaped}/$?${gap}${command.slice(codeEnd, end)}${mark}${command.slice(end)}`
}

function reasonOf(job: CrontabJob, scanned: ScannedCommand, code: string, isWritten: boolean): string | null {
  const problem = job.problem ?? scanned.problem
  if (problem !== null) return problem
  const wrong = scheduleProblem('cron', job.schedule!)
  if (wrong !== null) return `its time is not understood: ${wrong}`
  if (isWritten) return null
  if (/\bpunctual[- ]exec\b/.test(code)) return 'it runs with punctual exec already'
  const pinged = PINGS_ALREADY.exec(code)?.[0]
  if (pinged !== undefined) return 'it pings a check already'
  // An address has up to 150 characters, as far as one can know before there is one.
  if (code.length + PING.length + 250 > MAX_COMMAND) return 'it is too long for cron to add something'
  return null
}

function checkOf(
  job: CrontabJob,
  scanned: ScannedCommand,
  slug: string | null,
  source: CrontabSource,
): ProposedCheck {
  const schedule = job.schedule!
  const tz = job.zone ?? source.tz
  const named = jobName(scanned.parts)
  const { name, slug: proposed } =
    slug === null ? nameCheck(named, source) : { ...nameCheck(named, { ...source, taken: new Set() }), slug }
  return {
    name,
    slug: proposed,
    period: null,
    schedule,
    tz,
    grace: graceOf(schedule, tz, job.delaySeconds, source.now),
    tags: tagsOf('cron', source.host),
  }
}
