import { canonicalZone } from '../schedule/index.js'
import { CRON_SHORTHANDS } from '../schedule/schedule-problem.js'

/** Whether lines have a user after the time, as in /etc/crontab and /etc/cron.d, or not, as with `crontab -l`. */
export type CrontabFormat = 'user' | 'system'

/** A line of a crontab that starts a job. Places are offsets in the text. */
export interface CrontabJob {
  /** The number of the line, from 1. */
  line: number
  /** As written, without its end. */
  text: string
  /** A cron expression; null for what is no time, with `problem`. */
  schedule: string | null
  user: string | null
  /** The command up to the first `%` that is not escaped: what the shell runs. */
  start: number
  end: number
  /** `CRON_TZ` where the line stands, or null for the zone of the machine. */
  zone: string | null
  /** The longest delay before a start in seconds: `RANDOM_DELAY` of cronie. */
  delaySeconds: number
  /** Why no check can be made of it, as a part of a sentence. */
  problem: string | null
}

/** The settings of a crontab, as they are where a line stands. */
interface Environment {
  shell: string
  zone: string
  delay: string
}

/** Source: crontab(5) and load_env() in env.c of Vixie cron. */
const SETTING = /^[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s=]+))[ \t]*=[ \t]*(.*)$/

const JOB =
  /^[ \t]*(?:(?<word>@[^ \t\r]+)|(?<fields>[^ \t\r]+[ \t]+[^ \t\r]+[ \t]+[^ \t\r]+[ \t]+[^ \t\r]+[ \t]+[^ \t\r]+))(?<rest>[ \t]+.*)?$/

/** A field of a time: digits, stars, lists, ranges, steps. A command may look like this only by accident. */
const TIME_FIELD =
  /^(\*|\d+|(mon|tue|wed|thu|fri|sat|sun)\b)([-,/~#][0-9*]+|[-,](mon|tue|wed|thu|fri|sat|sun))*$|^\?$/i

/** Shells in which `;`, `( )`, `$?` and `#` mean what they mean in sh. */
const LIKE_SH = /(^|\/)(ba|da|a|k|mk|z|rba|pdk|ya)?sh$/

/** The longest command that Vixie cron runs, with room for its end. Source: MAX_COMMAND in cron.h. */
export const MAX_COMMAND = 998

/**
 * The jobs of a crontab, in the order of lines. Only ASCII characters are looked at, so `text` may also have one
 * character a byte. Sources: crontab(5) of Debian and of cronie, load_entry() in entry.c of Vixie cron.
 */
export function readCrontab(text: string, format: CrontabFormat): CrontabJob[] {
  const jobs: CrontabJob[] = []
  const environment: Environment = { shell: '/bin/sh', zone: '', delay: '0' }
  let offset = 0
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    const isJob = !/^[ \t]*(#|$)/.test(line) && !readSetting(line, environment)
    if (isJob) jobs.push(readJob(line, index + 1, offset, format, environment))
    offset += whole.length + 1
  }
  return jobs
}

/** Whether every job has a user after the time who runs jobs on most machines: then the text is of /etc. */
export function guessFormat(text: string): CrontabFormat {
  const jobs = readCrontab(text, 'system')
  const isSystem =
    jobs.some(job => job.user === 'root') && jobs.every(job => /^[a-z_][a-z0-9_-]*$/.test(job.user ?? ''))
  return isSystem ? 'system' : 'user'
}

/** Changes `environment` if the line sets a variable, and returns whether it does. */
function readSetting(line: string, environment: Environment): boolean {
  const found = SETTING.exec(line)
  if (!found) return false
  const name = found[1] ?? found[2] ?? found[3]!
  const value = found[4]!.trimEnd().replace(/^(["'])(.*)\1$/, '$2')
  if (name === 'SHELL') environment.shell = value
  if (name === 'CRON_TZ') environment.zone = value
  if (name === 'RANDOM_DELAY') environment.delay = value
  return true
}

function readJob(
  line: string,
  number: number,
  offset: number,
  format: CrontabFormat,
  { shell, zone, delay }: Environment,
): CrontabJob {
  const { word, fields, rest = '' } = JOB.exec(line)?.groups ?? {}
  const user = format === 'system' ? (/^[ \t]+([^ \t]+)[ \t]*/.exec(rest) ?? null) : null
  const command = rest.slice(user ? user[0].length : /^[ \t]*/.exec(rest)![0].length)
  const start = offset + line.length - command.length
  const length = lengthBeforeInput(command)
  const job = {
    line: number,
    text: line,
    schedule: fields?.split(/[ \t]+/).join(' ') ?? CRON_SHORTHANDS[word ?? ''] ?? null,
    user: user?.[1] ?? null,
    start,
    end: start + length,
    zone: zone === '' ? null : canonicalZone(zone),
    delaySeconds: Math.min(Math.max(Number(delay) || 0, 0), 1_440) * 60,
  }
  return { ...job, problem: problemOf({ ...job, word, command: command.slice(0, length), shell, zone }) }
}

function problemOf(job: {
  word: string | undefined
  schedule: string | null
  user: string | null
  command: string
  shell: string
  zone: string
}): string | null {
  const { word, schedule, user, command, shell, zone } = job
  if (word === '@reboot') return 'it runs when the machine starts, not at a time'
  if (word !== undefined && schedule === null) return `${word} is not a time that Punctual knows`
  if (schedule === null) return 'it is no line of a crontab'
  if (command.length > MAX_COMMAND) return 'it is too long for cron'
  const sixth = user ?? command.trim().split(/[ \t]/)[0]!
  if (TIME_FIELD.test(sixth)) return 'it has six fields of time, and cron knows five'
  if (command.trim() === '') return 'it has no command'
  if (zone !== '' && canonicalZone(zone) === null) return `CRON_TZ=${zone} is not a time zone`
  if (!LIKE_SH.test(shell)) return `SHELL is ${shell}, which reads commands in another way than sh`
  return null
}

/** The number of characters before the first `%` without a backslash. Source: child_process() in do_command.c. */
function lengthBeforeInput(command: string): number {
  return /^(?:\\.?|[^%\\])*/s.exec(command)![0].length
}
