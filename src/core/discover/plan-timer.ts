import { scheduleProblem } from '../schedule/schedule-problem.js'
import {
  graceOf,
  graceOfPeriod,
  isPeriod,
  keptElsewhere,
  type Naming,
  nameCheck,
  type ProposedCheck,
  tagsOf,
} from './proposed-check.js'
import { readTimeSpan, readUnit } from './read-unit.js'

/** A timer of systemd as its files say. */
export interface TimerFiles {
  /** Without `.timer`. */
  name: string
  /** The text of the timer and of its drop-ins. */
  timer: string
  /** The text of the service that it starts and of its drop-ins, but for ours. */
  service: string
  /** Our drop-in of the service, or null. */
  dropIn: string | null
}

/** A timer, and the check that it has or would get. */
export interface PlannedTimer {
  name: string
  /** The service that it starts, with `.service`. */
  service: string
  /** Null for a timer that is left alone, for this reason. */
  check: ProposedCheck | null
  reason: string | null
  /** The address that the drop-in pings, or null. */
  pings: string | null
}

export interface TimerSource extends Naming {
  /** The zone of the machine: canonical. */
  tz: string
  /** The current instant, in ms. */
  now: number
}

const KEEPS = /^# punctual: ([a-z0-9_-]{1,100})$/m

const PINGED = /; exec curl [^']* (\S+)\/\$\$s'/

/** Settings with which a service, and so what runs after it, has no network. Source: systemd.exec(5), systemd.resource-control(5). */
const WITHOUT_NETWORK: readonly [name: string, value: RegExp][] = [
  ['Service.PrivateNetwork', /^(1|yes|true|on)$/i],
  ['Service.IPAddressDeny', /\bany\b/],
  ['Service.RestrictAddressFamilies', /^(none|(?!~)(?!.*AF_INET).*)$/],
  ['Service.RootDirectory', /./],
  ['Service.RootImage', /./],
]

/** The slug that the drop-in of a service keeps, or null. */
export function keptSlug(dropIn: string | null): string | null {
  return KEEPS.exec(dropIn ?? '')?.[1] ?? null
}

/** The service that a timer starts. */
export function serviceOf(name: string, timer: string): string {
  return readUnit(timer).get('Timer.Unit')?.at(-1) ?? `${name}.service`
}

/** A check for a timer, or the reason why it gets none. */
export function planTimer(files: TimerFiles, source: TimerSource): PlannedTimer {
  const { name, dropIn } = files
  const timer = readUnit(files.timer)
  const slug = keptSlug(dropIn)
  const service = serviceOf(name, files.timer)
  const when = whenOf(timer, source)
  const keepers = source.keepers ?? new Map()
  const copied = slug === null ? null : keptElsewhere(slug, { file: `${name}.timer`, line: null }, keepers)
  const wrong = slug === null ? serviceProblem(service, files.service) : null
  const reason = typeof when === 'string' ? when : (copied ?? wrong)
  const pings = dropIn === null ? null : (PINGED.exec(dropIn)?.[1]?.replaceAll('%%', '%') ?? null)
  if (reason !== null || typeof when === 'string') return { name, service, check: null, reason, pings }
  const named = nameCheck(name, slug === null ? source : { ...source, taken: new Set() })
  const check = {
    ...named,
    ...when,
    tz: source.tz,
    tags: tagsOf('systemd', source.host),
    ...(slug && { slug }),
  }
  return { name, service, check, reason: null, pings }
}

/**
 * The drop-in by which a service pings when it ends: its exit status, or a failure if it was killed or did not end in
 * time. Sources: systemd.service(5), ExecStopPost=; systemd.exec(5), $SERVICE_RESULT.
 */
export function dropInText(slug: string, address: string): string {
  const escaped = address.replaceAll('%', '%%')
  const status = 'case $$SERVICE_RESULT in success) s=0;; exit-code) s=$$EXIT_STATUS;; *) s=fail;; esac'
  return `# punctual: ${slug}
# The first line keeps the check. To stop pinging, remove this file and run systemctl daemon-reload.
[Service]
ExecStopPost=-/bin/sh -c '${status}; exec curl -fsS -m 10 --retry 5 -o /dev/null ${escaped}/$$s'
`
}

/** When a timer starts its service, or why that cannot be said. */
function whenOf(
  timer: ReadonlyMap<string, string[]>,
  { tz, now }: TimerSource,
): Pick<ProposedCheck, 'schedule' | 'period' | 'grace'> | string {
  const delay = spanOf(timer, 'RandomizedDelaySec', 0) + spanOf(timer, 'AccuracySec', 60)
  const calendar = timer.get('Timer.OnCalendar') ?? []
  if (calendar.length > 0) {
    const schedule = calendar.join('\n')
    const problem = scheduleProblem('oncalendar', schedule)
    if (problem !== null) return `its time is not understood: ${problem}`
    return { schedule, period: null, grace: graceOf(schedule, tz, delay, now) }
  }
  const every = [
    ...(timer.get('Timer.OnUnitActiveSec') ?? []),
    ...(timer.get('Timer.OnUnitInactiveSec') ?? []),
  ].map(readTimeSpan)
  const period = Math.round(Math.min(...every.map(seconds => seconds ?? Number.NaN)))
  if (every.length === 0) return 'it runs after a start of the machine or of a unit, not at a time'
  if (!isPeriod(period)) return 'the time between its runs is not from a minute to a year'
  return { schedule: null, period, grace: graceOfPeriod(period, delay) }
}

function spanOf(timer: ReadonlyMap<string, string[]>, name: string, byDefault: number): number {
  const text = timer.get(`Timer.${name}`)?.at(-1)
  return text === undefined ? byDefault : Math.min(readTimeSpan(text) ?? byDefault, 86_400)
}

function serviceProblem(service: string, text: string): string | null {
  if (!service.endsWith('.service')) return `it starts ${service}, which is not a service`
  if (text === '') return `there is no ${service}`
  const settings = readUnit(text)
  for (const [name, value] of WITHOUT_NETWORK) {
    const found = settings.get(name)?.at(-1)
    if (found !== undefined && value.test(found)) {
      return `${service} has no network or another root: ${name.split('.')[1]}=${found}`
    }
  }
  if (/https?:\/\/\S+\/ping\/|hc-ping\.com/.test(text)) return `${service} pings a check already`
  return null
}
