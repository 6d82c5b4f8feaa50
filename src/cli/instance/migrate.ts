import type { Command } from 'commander'
import { jsonOption } from '../options.js'
import { print, printJson } from '../print.js'

export function addMigrate(parent: Command): void {
  parent
    .command('migrate')
    .addOption(jsonOption())
    .description('Create the database or upgrade it to this version; `serve` does this when it starts')
    .action(migrate)
}

async function migrate(options: { json?: boolean }): Promise<void> {
  const [{ readConfig }, { migrateStore }] = await Promise.all([
    import('../read-config.js'),
    import('../../compose/store.js'),
  ])
  const applied = await migrateStore(await readConfig())
  if (options.json) return printJson({ applied })
  print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
}
