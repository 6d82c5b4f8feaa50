import type { Command } from 'commander'
import { jsonOption } from './options.js'
import { printJson, printTable } from './print.js'

export function addConfig(parent: Command): void {
  parent
    .command('config')
    .addOption(jsonOption())
    .description('Print every setting, its value and where it came from; secrets are masked')
    .action(showConfig)
}

async function showConfig(options: { json?: boolean }): Promise<void> {
  const { readConfigReport } = await import('./read-config.js')
  const report = await readConfigReport()
  if (options.json) return printJson(report.map(({ name, value, source }) => ({ name, value, source })))
  printTable(
    ['SETTING', 'VALUE', 'FROM'],
    report.map(({ name, value, source }) => [name, value, source]),
    '',
  )
}
