import { CHECK_FIELDS } from '../checks/check-fields.js'
import { slugify } from '../checks/slugify.js'
import { nextAfter, parseSchedule } from '../schedule/index.js'

/** A check that would be made for a job of a machine. */
export interface ProposedCheck {
  name: string
  slug: string
  /** A period in seconds, or a schedule in a zone. */
  period: number | null
  schedule: string | null
  tz: string
  /** Seconds. */
  grace: number
  /** Separated by spaces. */
  tags: string
}

/** What jobs are called on one machine or page, so that no two have one slug. */
export interface Naming {
  /** The name of the machine, or empty. */
  host: string
  /** Slugs that are used; a new one is added. */
  taken: Set<string>
  /** Which job keeps a slug by its comment, where several files are planned together. */
  keepers?: Map<string, Keeper>
}

/** A job: its line in a file, or its timer. */
export interface Keeper {
  file: string
  line: number | null
}

/** Why a job gets no check that has the comment of another; null if it is the first that has it, which it then keeps. */
export function keptElsewhere(slug: string, job: Keeper, keepers: Map<string, Keeper>): string | null {
  const first = keepers.get(slug)
  if (!first) keepers.set(slug, job)
  if (!first || (first.file === job.file && first.line === job.line)) return null
  const place = first.line === null ? '' : `line ${first.line}`
  const named = first.file === job.file ? place : [place, first.file].filter(word => word !== '').join(' of ')
  return `${named} has the comment “punctual: ${slug}” too`
}

const MIN_GRACE = 300
const MAX_GRACE = CHECK_FIELDS.graceSeconds.default

/** The name, and a slug that is not taken: `web1 backup` and `web1-backup`, or `web1-backup-2`. */
export function nameCheck(job: string, { host, taken }: Naming): { name: string; slug: string } {
  const name = [host, job]
    .filter(word => word !== '')
    .join(' ')
    .slice(0, CHECK_FIELDS.name.type.maxLength)
  const stem = (slugify(name.replace(/[.:/]/g, '-')) || 'job').slice(0, CHECK_FIELDS.slug.type.maxLength - 5)
  let slug = stem
  for (let n = 2; taken.has(slug); n++) slug = `${stem}-${n}`
  taken.add(slug)
  return { name, slug }
}

/** Tags of checks that were found on a machine. */
export function tagsOf(kind: 'cron' | 'systemd', host: string): string {
  return [kind, slugify(host)].filter(word => word !== '').join(' ')
}

/**
 * How late a job may be, in seconds: half the shortest of the next gaps between its times, from five minutes to an
 * hour, and what it may be delayed.
 */
export function graceOf(schedule: string, tz: string, delaySeconds: number, now: number): number {
  const parsed = parseSchedule(schedule)
  let shortest = 2 * MAX_GRACE
  let last = nextAfter(parsed, tz, now)
  for (let n = 0; n < 10 && last !== null; n++) {
    const next = nextAfter(parsed, tz, last)
    if (next !== null) shortest = Math.min(shortest, (next - last) / 1_000)
    last = next
  }
  return graceOfPeriod(shortest, delaySeconds)
}

/** The same for what runs every `periodSeconds`. */
export function graceOfPeriod(periodSeconds: number, delaySeconds: number): number {
  return Math.min(Math.max(Math.round(periodSeconds / 2), MIN_GRACE), MAX_GRACE) + Math.ceil(delaySeconds)
}

/** Whether a check can have this period, in seconds. */
export function isPeriod(seconds: number): boolean {
  const { min, max } = CHECK_FIELDS.periodSeconds.type
  return seconds >= min && seconds <= max
}
