import { resolve } from 'node:path'
import type { Command } from 'commander'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'

export function addBackup(parent: Command): void {
  const command = parent
    .command('backup')
    .argument('<file>', 'the file to write; must not exist')
    .addOption(jsonOption())
    .description('Write a consistent copy of the database, even while the server runs')
    .action(backup)
  withExample(command, 'punctual backup /var/backups/punctual-monday.db')
}

async function backup(name: string, options: { json?: boolean }): Promise<void> {
  const file = resolve(name)
  await withStore(({ store }) => store.backup(file))
  const { statSync } = await import('node:fs')
  const { size } = statSync(file)
  if (options.json) printJson({ file, bytes: size })
  else print(`Wrote ${file}, ${size} bytes.`)
}
