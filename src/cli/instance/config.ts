import type { Command } from 'commander'
import { jsonOption } from '../options.js'
import { printJson, printTable } from '../print.js'
import { addConfigCode } from '../projects/config-code.js'

export function addConfig(parent: Command): void {
  const command = parent
    .command('config')
    .addOption(jsonOption())
    .description('Print every setting with its value and source, and the database engine; secrets are masked')
    .action(showConfig)
  addConfigCode(command)
}

async function showConfig(options: { json?: boolean }): Promise<void> {
  const [{ readConfig, readConfigReport }, { databaseEngine }] = await Promise.all([
    import('../read-config.js'),
    import('../../compose/store.js'),
  ])
  const settings = await readConfigReport()
  const engine = await databaseEngine(await readConfig())
  const report = [
    ...settings,
    { name: 'database', value: engine, source: `Node.js ${process.versions.node}` },
  ]
  if (options.json) return printJson(report.map(({ name, value, source }) => ({ name, value, source })))
  printTable(
    ['SETTING', 'VALUE', 'FROM'],
    report.map(({ name, value, source }) => [name, value, source]),
    '',
  )
}
