import type { Command } from 'commander'
import type { Api } from '../../client/index.js'
import { jsonOption, withExample } from '../options.js'
import { printJson, printTable } from '../print.js'
import { connect, type ServerOptions, withServer } from '../server/connection.js'
import { instantWords, nameOf, scheduleWords } from './check-words.js'

interface Options extends ServerOptions {
  status?: string
  tag?: string
  search?: string
  json?: boolean
}

export function addChecksList(parent: Command): void {
  const command = withServer(parent.command('list'))
    .option(
      '--status <statuses>',
      'only checks with this status, or one of several: new,up,grace,down,paused',
    )
    .option('--tag <tags>', 'only checks with this tag, or with all of several with spaces between them')
    .option('--search <text>', 'only checks whose name, slug, tags or UUID contain this')
    .addOption(jsonOption())
    .description('List the checks, those that are down first')
    .action(listChecks)
  withExample(command, 'punctual checks list --status down,grace')
}

/** The order in which checks are listed. */
const STATUSES: readonly Api.Check['status'][] = ['down', 'grace', 'new', 'up', 'paused']

async function listChecks({ status, tag, search, json, ...options }: Options): Promise<void> {
  const server = await connect(options)
  const projects = await server.projects()
  const filter = { ...(status && { status }), ...(tag && { tag }), ...(search && { search }), limit: 1_000 }
  const found: { check: Api.Check | Api.ReadOnlyCheck; project: string }[] = []
  for (const { name, api } of projects)
    for await (const check of api.listChecks(filter)) found.push({ check, project: name })
  if (json) return printJson(found.map(({ check, project }) => ({ ...check, project })))
  found.sort((a, b) => STATUSES.indexOf(a.check.status) - STATUSES.indexOf(b.check.status))
  const now = Date.now()
  const several = projects.length > 1
  printTable(
    [...(several ? ['PROJECT'] : []), 'STATUS', 'NAME', 'SCHEDULE', 'LAST PING', 'NEXT', 'TAGS'],
    found.map(({ check, project }) => [
      ...(several ? [project] : []),
      check.status,
      nameOf(check),
      scheduleWords(check),
      instantWords(check.last_ping, now, 'never'),
      instantWords(check.next_ping, now, '-'),
      check.tags.join(' '),
    ]),
    status || tag || search ? 'No check matches.' : 'There are no checks.',
  )
}
