import type { Command } from 'commander'
import { jsonOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { withStore } from '../with-store.js'

export function addProjectList(parent: Command): void {
  parent.command('list').addOption(jsonOption()).description('List projects').action(listProjects)
}

async function listProjects(options: { json?: boolean }): Promise<void> {
  const projects = await withStore(({ store }) => store.projects.list())
  const rows = projects.map(({ uuid, name, owner, checks, createdAt }) => ({
    uuid,
    name,
    owner,
    checks,
    created: isoSeconds(createdAt),
  }))
  if (options.json) return printJson(rows)
  printTable(
    ['UUID', 'NAME', 'OWNER', 'CHECKS', 'CREATED'],
    rows.map(row => [row.uuid, row.name, row.owner ?? '-', String(row.checks), row.created]),
    'There are no projects.',
  )
}
