import type { Command } from 'commander'
import { jsonOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { withStore } from '../with-store.js'

export function addUserList(parent: Command): void {
  parent.command('list').addOption(jsonOption()).description('List users').action(listUsers)
}

async function listUsers(options: { json?: boolean }): Promise<void> {
  const users = await withStore(({ store }) => store.people.listUsers())
  const rows = users.map(({ uuid, email, projects, secondStep, disabled, emailProven, createdAt }) => ({
    uuid,
    email,
    projects,
    second_step: secondStep,
    disabled,
    confirmed: emailProven,
    created: isoSeconds(createdAt),
  }))
  if (options.json) return printJson(rows)
  printTable(
    ['E-MAIL', 'OWNS PROJECTS', 'SECOND STEP', 'STATE', 'CREATED'],
    rows.map(row => [
      row.email,
      String(row.projects),
      row.second_step ? 'yes' : 'no',
      `${row.disabled ? 'disabled' : 'active'}${row.confirmed ? '' : ', not confirmed'}`,
      row.created,
    ]),
    'There are no users.',
  )
}
