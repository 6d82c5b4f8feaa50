import type { Command } from 'commander'
import { jsonOption } from '../options.js'
import { print, printJson } from '../print.js'

interface MigrateOptions {
  distribute?: boolean
  undistribute?: boolean
  json?: boolean
}

export function addMigrate(parent: Command): void {
  parent
    .command('migrate')
    .option('--distribute', 'then distribute the tables of checks over the workers of Citus')
    .option('--undistribute', 'then bring distributed tables back to one server')
    .addOption(jsonOption())
    .description('Create the database or upgrade it to this version; `serve` does this when it starts')
    .action(migrate)
}

async function migrate(options: MigrateOptions): Promise<void> {
  const [{ readConfig }, { migrateStore }, { Refusal }] = await Promise.all([
    import('../read-config.js'),
    import('../../compose/store.js'),
    import('../../core/errors.js'),
  ])
  if (options.distribute && options.undistribute)
    throw new Refusal('invalid', 'choose one of --distribute and --undistribute')
  const config = await readConfig()
  const applied = await migrateStore(config)
  if (!options.json)
    print(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
  const { moveTables } = await import('./move-tables.js')
  const moved = options.distribute || options.undistribute ? await moveTables(config, options) : {}
  if (options.json) printJson({ applied, ...moved })
}
