import type { Command } from 'commander'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { connect, type ServerOptions, withServer } from '../server/connection.js'
import { instantWords, nameOf, scheduleWords } from './check-words.js'
import { findServerCheck, refOf } from './find-server-check.js'

export function addChecksShow(parent: Command): void {
  const command = withServer(parent.command('show'))
    .argument('<check>', 'its UUID, slug or name')
    .addOption(jsonOption())
    .description('Show a check: its state, schedule, ping URL, and what may be wrong with its settings')
    .action(showCheck)
  withExample(command, 'punctual checks show nightly-backup')
}

async function showCheck(
  named: string,
  { json, ...options }: ServerOptions & { json?: boolean },
): Promise<void> {
  const { check, project } = await findServerCheck(await connect(options), named)
  const { findings } = await project.api.listFindings(refOf(check))
  if (json) return printJson({ ...check, project: project.name, findings })
  const now = Date.now()
  const rows: [string, string][] = [
    ['Status', check.incident === null ? check.status : `${check.status} (incident ${check.incident})`],
    ...(project.name === '' ? [] : [['Project', project.name] as [string, string]]),
    ['Schedule', scheduleWords(check)],
    ['Last ping', instantWords(check.last_ping, now, 'never')],
    ['Next ping', instantWords(check.next_ping, now, '-')],
    ['Tags', check.tags.join(' ') || '-'],
    ['Description', check.desc || '-'],
    ...('ping_url' in check ? [['Ping URL', check.ping_url] as [string, string]] : []),
    ...findings.map(({ evidence }): [string, string] => ['Note', evidence]),
  ]
  print(nameOf(check))
  for (const [label, value] of rows) print(`  ${label.padEnd(12)} ${value}`)
}
