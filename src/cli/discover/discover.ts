import { type Command, Option } from 'commander'
import type { ProposedCheck } from '../../core/discover/proposed-check.js'
import type { CrontabFormat } from '../../core/discover/read-crontab.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson, printTable } from '../print.js'
import { type ServerOptions, withServer } from '../server/connection.js'
import type { MachinePlan } from './plan-machine.js'

interface Options extends ServerOptions {
  apply?: boolean
  format?: CrontabFormat
  host?: string
  timezone?: string
  root: string
  copies?: string
  json?: boolean
}

export function addDiscover(program: Command): void {
  const command = program
    .command('discover')
    .argument(
      '[files...]',
      'crontabs; `-` for standard input (default: those of this machine, and its timers)',
    )
    .addOption(
      new Option('--format <format>', 'of the files: with `system`, lines name a user').choices([
        'user',
        'system',
      ]),
    )
    .option('--apply', 'make the checks, and let the jobs ping')
    .option('--host <name>', 'the name of the machine, in names and tags (default: its own)')
    .option('--timezone <zone>', 'the time zone of cron (default: that of this machine)')
    .option('--root <folder>', 'the root of the machine whose files are read', '/')
    .option(
      '--copies <folder>',
      'where crontabs are copied to before they change (default: ~/.local/state/punctual/crontabs)',
    )
    .addOption(jsonOption())
    .description('Find the jobs of crontabs and systemd timers, and show the checks they would get')
    .action(discover)
  withExample(withServer(command), 'punctual discover --apply')
}

async function discover(files: string[], options: Options): Promise<void> {
  const { planMachine } = await import('./plan-machine.js')
  const toOutput = files.includes('-') && options.apply === true
  const plan = await planMachine(files, options)
  if (!options.apply) return options.json ? printJson(shapeOf(plan)) : show(plan)
  const { applyPlan } = await import('./apply.js')
  // A rewritten crontab on standard output is not mixed with anything.
  await applyPlan(plan, options, toOutput || options.json ? () => {} : print)
  if (options.json && !toOutput) printJson(shapeOf(plan))
}

function show(plan: MachinePlan): void {
  const rows = rowsOf(plan).map(({ where, check, pings, reason }) => [
    where,
    check?.slug ?? '',
    check === null ? '' : (check.schedule?.replaceAll('\n', ' | ') ?? `every ${check.period} s`),
    check === null ? '' : `${Math.round(check.grace / 60)} min`,
    check === null ? `no check: ${reason}` : pings ? 'pings already' : 'new',
  ])
  printTable(['JOB', 'CHECK', 'SCHEDULE', 'GRACE', ''], rows, 'No jobs were found.')
  const left = rowsOf(plan).filter(({ check, pings }) => check !== null && pings === null).length
  if (left > 0)
    print(
      `\nWith --apply ${left === 1 ? 'it gets its check and pings' : `these ${left} get their checks and ping`}.`,
    )
}

interface Row {
  where: string
  job: string
  check: ProposedCheck | null
  pings: string | null
  reason: string | null
}

function rowsOf({ crontabs, timers }: MachinePlan): Row[] {
  return [
    ...crontabs.flatMap(({ file, lines }) =>
      lines.map(({ line, text, check, pings, reason }) => ({
        where: `${file.name}:${line}`,
        job: text,
        check,
        pings,
        reason,
      })),
    ),
    ...timers.map(({ name, service, check, pings, reason }) => ({
      where: `${name}.timer`,
      job: service,
      check,
      pings,
      reason,
    })),
  ]
}

function shapeOf(plan: MachinePlan) {
  return rowsOf(plan).map(({ where, job, check, pings, reason }) => ({
    where,
    job,
    check,
    ping_url: pings,
    reason,
  }))
}
