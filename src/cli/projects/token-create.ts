import { type Command, Option } from 'commander'
import { SCOPE_NAMES, type ScopeName } from '../../core/people/scopes.js'
import { expiryAfter, TOKEN_LIFETIMES, type TokenLifetime } from '../../core/people/token-lifetime.js'
import { jsonOption, projectOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { findProject } from './find-project.js'

export function addTokenCreate(parent: Command): void {
  const command = parent
    .command('create')
    .addOption(projectOption())
    .requiredOption('--name <name>', 'which program uses it')
    .addOption(
      new Option('--scopes <scopes...>', 'what it may do').choices(SCOPE_NAMES).makeOptionMandatory(),
    )
    .addOption(
      new Option('--days <days>', 'when it expires, in days').choices(TOKEN_LIFETIMES).default('never'),
    )
    .addOption(jsonOption())
    .description('Create an API token of a project and print it; it is not shown again')
    .action(createToken)
  withExample(
    command,
    'punctual token create --project 6f1c1a5e-… --name Terraform --scopes checks:read checks:write',
  )
}

interface Options {
  project: string
  name: string
  scopes: ScopeName[]
  days: TokenLifetime
  json?: boolean
}

async function createToken({ project, name, scopes, days, json }: Options): Promise<void> {
  const { createApiToken } = await import('../../actions/projects/create-api-token.js')
  const made = await withStore(async ({ store, clock }) => {
    const { id: projectId } = await findProject(store, project)
    const owner = { projectId, role: 'manager' as const }
    const expiresAt = expiryAfter(days, clock.now())
    return await createApiToken(store, clock, { owner, name, scopes, by: null, expiresAt })
  })
  if (json) return printJson(made)
  print(made.token)
}
