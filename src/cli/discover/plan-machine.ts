import { hostname } from 'node:os'
import { keptSlugs, type PlannedLine, planCrontab } from '../../core/discover/plan-crontab.js'
import { keptSlug, type PlannedTimer, planTimer } from '../../core/discover/plan-timer.js'
import type { CrontabFormat } from '../../core/discover/read-crontab.js'
import { Refusal } from '../../core/errors.js'
import { canonicalZone } from '../../core/schedule/index.js'
import { systemClock } from '../../lib/clock.js'
import { type CrontabFile, crontabInFile, crontabOnInput, crontabsOfMachine } from './sources.js'
import { timersOfMachine } from './timers.js'

/** The jobs of a machine, with the checks that they have or would get. */
export interface MachinePlan {
  crontabs: { file: CrontabFile; lines: PlannedLine[] }[]
  timers: PlannedTimer[]
}

interface Options {
  format?: CrontabFormat
  host?: string
  timezone?: string
  root: string
}

/** A plan for the crontabs in `files`, or for those of the machine and its timers. Throws a `Refusal` for a wrong zone. */
export async function planMachine(files: readonly string[], options: Options): Promise<MachinePlan> {
  const { format, root } = options
  const machine = machineSource(options)
  const crontabs =
    files.length === 0
      ? await crontabsOfMachine(root)
      : await Promise.all(
          files.map(path =>
            path === '-'
              ? crontabOnInput(format, bytes => process.stdout.write(bytes))
              : crontabInFile(path, format),
          ),
        )
  const timers = files.length === 0 ? await timersOfMachine(root) : []
  // A job keeps its slug wherever it stands, so those are taken before any is given.
  const taken = new Set([
    ...crontabs.flatMap(({ text, format }) => keptSlugs(text, format)),
    ...timers.flatMap(({ dropIn }) => keptSlug(dropIn) ?? []),
  ])
  const source = { ...machine, taken, keepers: new Map() }
  return {
    crontabs: crontabs.map(file => ({
      file,
      lines: planCrontab(file.text, { ...source, file: file.name, format: file.format }),
    })),
    timers: timers.map(timer => planTimer(timer, source)),
  }
}

/** The name and the zone of a machine, by default of this one, and the time. Throws a `Refusal` for a wrong zone. */
export function machineSource({ host, timezone }: Pick<Options, 'host' | 'timezone'>) {
  const named = timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const tz = canonicalZone(named)
  if (tz === null) throw new Refusal('invalid', `${named} is not a time zone such as Europe/Riga`)
  return { host: host ?? hostname().split('.')[0]!, tz, now: systemClock.now() }
}
