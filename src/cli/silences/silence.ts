import type { Command } from 'commander'
import { nameOf } from '../checks/check-words.js'
import { findServerCheck, refOf } from '../checks/find-server-check.js'
import { jsonOption, parseSeconds, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { connect, type ServerOptions, withServer } from '../server/connection.js'

interface Options extends ServerOptions {
  for: number
  reason: string
  expectNothing?: boolean
  json?: boolean
}

export function addSilence(program: Command): void {
  const command = withServer(program.command('silence'))
    .argument('<check>', 'its UUID, slug or name')
    .requiredOption('--for <duration>', 'how long, such as `2h` or `1 day`', parseSeconds)
    .option('--reason <text>', 'shown wherever an alert is held', '')
    .option('--expect-nothing', 'no run is expected in that time, either')
    .addOption(jsonOption())
    .description('Hold the alerts of a check for a time; recoveries are still sent')
    .action(silence)
  withExample(command, 'punctual silence nightly-backup --for 2h --reason "moving the disks"')
}

async function silence(named: string, options: Options): Promise<void> {
  const { check, project } = await findServerCheck(await connect(options), named)
  const made = await project.api.createSilence({
    mode: options.expectNothing ? 'expect_nothing' : 'hold',
    scope: { checks: [refOf(check)] },
    when: { to: new Date(Date.now() + options.for * 1000).toISOString() },
    reason: options.reason,
  })
  if (options.json) return printJson(made)
  print(`Silenced ${nameOf(check)} until ${made.over_at ?? 'it is ended'}.`)
}
