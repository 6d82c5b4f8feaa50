import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { appendTo } from '../../lib/append-to.js'
import type { ImportReport } from '../../storage/import/report.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'

interface ImportOptions {
  secretKey?: string
  dryRun?: boolean
  json?: boolean
}

export function addImportHealthchecks(parent: Command): void {
  const command = parent
    .command('healthchecks')
    .argument('<database>', 'a SQLite file, or postgres://…')
    .addOption(
      new Option(
        '--secret-key <key>',
        'the SECRET_KEY of Healthchecks, to check that this server has it; better set in the environment, which others on the machine do not see',
      ).env('HEALTHCHECKS_SECRET_KEY'),
    )
    .option('--dry-run', 'print the plan and what cannot be carried over, and write nothing')
    .addOption(jsonOption())
    .description('Import the database of a Healthchecks installation; the server must be stopped')
    .action(importFrom)
  withExample(command, 'punctual import healthchecks hc.sqlite --dry-run')
}

async function importFrom(database: string, options: ImportOptions): Promise<void> {
  const [{ openSource }, { openSide }, { importHealthchecks }, rules, configs] = await Promise.all([
    import('../../storage/import/source.js'),
    import('../../storage/copy/side.js'),
    import('../../storage/import/import-healthchecks.js'),
    import('../../actions/instance/import-rules.js'),
    import('../read-config.js'),
  ])
  const { readConfig, withSecretKey, withSecretKeyUnwritten } = configs
  const config = (options.dryRun ? withSecretKeyUnwritten : withSecretKey)(await readConfig())
  const address = config.DATABASE_URL || `sqlite:${resolve(config.DATA_DIR)}/punctual.db`
  const into = shownAddress(address)
  const operator = { ...config.operator, EMAIL_HOST: config.EMAIL_HOST }
  const source = await openSource(database)
  try {
    const side = options.dryRun ? null : await openSide(address, { create: true })
    try {
      const site = { name: config.SITE_NAME, root: config.SITE_ROOT }
      const made = rules.importRules(config.SECRET_KEY, operator, site, Date.now())
      const report = await importHealthchecks(source, side, made, (what, done, of) => {
        if (!options.json && process.stderr.isTTY) process.stderr.write(`\r${what}: ${done} of ${of} `)
      })
      rules.noteSecretKey(report, config, options.secretKey ?? null, await source.sessions())
      if (options.json) printJson({ into, ...report, note: undefined, written: !options.dryRun })
      else await printReport(report, into, options.dryRun === true)
    } finally {
      await side?.close()
    }
  } finally {
    await source.close()
  }
}

/** The address of a database without its user, password and options. */
function shownAddress(address: string): string {
  return address.startsWith('sqlite:') ? address : address.replace(/\?.*$/s, '').replace(/\/\/.*@/s, '//')
}

async function printReport(
  { found, added, notes }: ImportReport,
  into: string,
  isPlan: boolean,
): Promise<void> {
  const { droppedColumns } = await import('../../core/import/source-schema.js')
  print(`Database: ${into}`)
  print('Found:')
  for (const [table, count] of Object.entries(found)) print(`  ${table}: ${count}`)
  print('Never carried over:')
  const columns = new Map<string, string[]>()
  for (const { column, why } of droppedColumns()) appendTo(columns, why, column)
  for (const [why, dropped] of columns) print(`  ${dropped.join(', ')}: ${why}`)
  if (notes.length > 0) print('To look at:')
  for (const { subject, text } of notes) print(`  ${subject}: ${text}`)
  if (isPlan) return print('Nothing was written.')
  const lines = Object.entries(added).map(([what, count]) => `  ${what}: ${count}`)
  print(lines.length === 0 ? 'Everything was there already.' : ['Added:', ...lines].join('\n'))
}
