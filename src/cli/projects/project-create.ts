import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { jsonOption, withExample } from '../options.js'
import { printJson } from '../print.js'
import { withStore } from '../with-store.js'

export function addProjectCreate(parent: Command): void {
  const command = parent
    .command('create')
    .argument('<name>', 'the name of the project')
    .option('--owner <email>', 'the user who owns it; without an owner, it counts as an account of its own')
    .addOption(jsonOption().hideHelp())
    .description('Create a project with its keys and print them as JSON; API keys are not shown again')
    .action(createProject)
  withExample(command, 'punctual project create Backups --owner alice@example.org')
}

async function createProject(name: string, options: { owner?: string }): Promise<void> {
  const { createProject } = await import('../../actions/projects/create-project.js')
  if (name.trim() === '') throw new Refusal('invalid', 'give the project a name')
  const made = await withStore(({ store, clock }) =>
    createProject(store, clock, { name, ownerEmail: options.owner ?? null }),
  )
  printJson({
    uuid: made.project.uuid,
    name: made.project.name,
    api_key: made.apiKey,
    api_key_readonly: made.readOnlyApiKey,
    ping_key: made.pingKey,
    badge_key: made.project.badgeKey,
  })
}
