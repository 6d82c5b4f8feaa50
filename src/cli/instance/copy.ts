import type { Command } from 'commander'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'

interface CopyOptions {
  from: string
  to: string
  json?: boolean
}

export function addCopy(parent: Command): void {
  const command = parent
    .command('copy')
    .requiredOption('--from <database>', 'sqlite:FILE or postgres://…; must not be in use by a server')
    .requiredOption('--to <database>', 'sqlite:FILE or postgres://…; must be empty or an interrupted copy')
    .addOption(jsonOption())
    .description('Copy all data to a database of the other engine and verify it; resumes an interrupted copy')
    .action(copy)
  withExample(command, 'punctual copy --from sqlite:data/punctual.db --to postgres://punctual@db/punctual')
}

async function copy({ from, to, json }: CopyOptions): Promise<void> {
  const [{ openSide }, { copyDatabase }, { systemClock }, { Refusal }] = await Promise.all([
    import('../../storage/copy/side.js'),
    import('../../storage/copy/copy-database.js'),
    import('../../lib/clock.js'),
    import('../../core/errors.js'),
  ])
  for (const address of [from, to]) {
    if (/^(sqlite:.|postgres(ql)?:\/\/.)/.test(address)) continue
    throw new Refusal('invalid', 'a database is named sqlite:FILE or postgres://…')
  }
  const source = await openSide(from, { create: false })
  try {
    const target = await openSide(to, { create: true })
    try {
      const tables = await copyDatabase(source, target, systemClock.now(), table => {
        if (!json) print(`${table.name}: ${table.rows} rows, the same on both sides`)
      })
      if (json) printJson({ tables })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
