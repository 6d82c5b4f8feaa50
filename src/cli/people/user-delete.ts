import type { Command } from 'commander'
import { plural } from '../../core/text/plural.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson, warn } from '../print.js'
import { withStore } from '../with-store.js'

interface Options {
  projectsTo?: string
  withProjects?: boolean
  json?: boolean
}

export function addUserDelete(parent: Command): void {
  const command = parent
    .command('delete')
    .argument('<email>', 'the e-mail address of the user')
    .option('--projects-to <email>', 'transfer the projects of the user to this user')
    .option('--with-projects', 'also delete the projects of the user')
    .addOption(jsonOption())
    .description('Delete a user')
    .action(deleteUser)
  withExample(command, 'punctual user delete alice@example.org --projects-to bob@example.org')
}

async function deleteUser(email: string, options: Options): Promise<void> {
  const { deleteUser } = await import('../../actions/people/delete-user.js')
  const { projectsTo, withProjects } = options
  const go = projectsTo !== undefined ? { to: projectsTo } : withProjects ? 'too' : null
  const { projects, unprovenOwner } = await withStore(({ store, clock }) =>
    deleteUser(store, clock, email, go),
  )
  if (unprovenOwner !== null) {
    warn(`nobody has confirmed the address ${unprovenOwner}: whoever made that account has the projects now`)
  }
  if (options.json) return printJson({ projects })
  const fate = projectsTo !== undefined ? `given to ${projectsTo}` : 'deleted too'
  const rest = projects > 0 ? ` ${plural(projects, 'project')} ${fate}.` : ''
  print(`Deleted the user ${email}.${rest}`)
}
