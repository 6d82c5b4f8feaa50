import type { Command } from 'commander'
import { jsonOption, type KeyKind, keyKindOption, projectOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { findProject } from './find-project.js'

export function addKeyCreate(parent: Command): void {
  const command = parent
    .command('create')
    .addOption(projectOption())
    .addOption(keyKindOption().makeOptionMandatory())
    .addOption(jsonOption())
    .description('Create a key and print it; an API key is not shown again')
    .action(createKey)
  withExample(command, 'punctual key create --project 6f1c1a5e-… --kind rw')
}

async function createKey(options: { project: string; kind: KeyKind; json?: boolean }): Promise<void> {
  const { kind } = options
  const [{ createApiKey }, { createPingKey }] = await Promise.all([
    import('../../actions/projects/create-api-key.js'),
    import('../../actions/projects/create-ping-key.js'),
  ])
  const key = await withStore(async ({ store, clock }) => {
    const { id: projectId } = await findProject(store, options.project)
    return kind === 'ping'
      ? createPingKey(store, { projectId, now: clock.now() })
      : createApiKey(store, clock, { projectId, kind, by: null })
  })
  if (options.json) printJson({ kind, key })
  else print(key)
}
