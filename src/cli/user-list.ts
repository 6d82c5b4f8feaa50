import type { Command } from 'commander'
import { jsonOption } from './options.js'
import { isoSeconds, printJson, printTable } from './print.js'
import { withStore } from './with-store.js'

export function addUserList(parent: Command): void {
  parent
    .command('list')
    .addOption(jsonOption())
    .description('List the people who can sign in')
    .action(listUsers)
}

async function listUsers(options: { json?: boolean }): Promise<void> {
  const users = await withStore(({ store }) => store.listUsers())
  const rows = users.map(({ uuid, email, projects, secondStep, createdAt }) => ({
    uuid,
    email,
    projects,
    second_step: secondStep,
    created: isoSeconds(createdAt),
  }))
  if (options.json) return printJson(rows)
  printTable(
    ['E-MAIL', 'OWNS PROJECTS', 'SECOND STEP', 'CREATED'],
    rows.map(row => [row.email, String(row.projects), row.second_step ? 'yes' : 'no', row.created]),
    'There are no users.',
  )
}
