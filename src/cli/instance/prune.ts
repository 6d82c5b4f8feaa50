import type { Command } from 'commander'
import { plural } from '../../core/text/plural.js'
import { jsonOption } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'

export function addPrune(parent: Command): void {
  parent
    .command('prune')
    .addOption(jsonOption())
    .description('Delete log entries beyond the limits; a running server does this regularly')
    .action(prune)
}

async function prune(options: { json?: boolean }): Promise<void> {
  const { pruneLogs } = await import('../../actions/instance/prune-logs.js')
  const { pruneIncidents } = await import('../../actions/instance/prune-incidents.js')
  const deleted = await withStore(async ({ config, store, clock }) => {
    await pruneIncidents(store, clock, config.INCIDENT_DAYS)
    return await pruneLogs(store, clock)
  })
  if (options.json) printJson({ deleted_pings: deleted })
  else print(`Deleted ${plural(deleted, 'ping')}.`)
}
