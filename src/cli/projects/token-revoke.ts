import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { jsonOption, projectOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { findProject } from './find-project.js'

export function addTokenRevoke(parent: Command): void {
  const command = parent
    .command('revoke')
    .addOption(projectOption())
    .requiredOption('--token <uuid>', 'the UUID of the token, as shown by `token list`')
    .addOption(jsonOption())
    .description('Revoke an API token of a project; it stops working within a second')
    .action(revokeToken)
  withExample(command, 'punctual token revoke --project 6f1c1a5e-… --token 9b2d7f04-…')
}

async function revokeToken(options: { project: string; token: string; json?: boolean }): Promise<void> {
  await withStore(async ({ store, clock }) => {
    const { id: projectId } = await findProject(store, options.project)
    if (!(await store.projects.revokeApiToken({ projectId }, options.token, clock.now()))) {
      throw new Refusal('not-found', 'the project has no such token')
    }
  })
  if (options.json) printJson({ revoked: 1 })
  else print('Revoked the token.')
}
