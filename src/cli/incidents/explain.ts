import type { Command } from 'commander'
import { jsonOption, withExample } from '../options.js'
import { isoSeconds, print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { findCheck } from './find-check.js'

export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .argument('<check>', 'the UUID, slug or name of a check')
    .addOption(jsonOption())
    .description(
      'Explain what each channel of a check was sent, and what waits, is held or was dropped, and why',
    )
    .action(explain)
  withExample(command, 'punctual explain nightly-backup')
}

async function explain(named: string, options: { json?: boolean }): Promise<void> {
  const [{ explanationLines }, { explanationShape }] = await Promise.all([
    import('../../core/incidents/explanation.js'),
    import('../../core/wire/explanation.js'),
  ])
  const explanation = await withStore(async ({ store, clock }) => {
    const { projectId, uuid } = await findCheck(store, named)
    return await store.incidents.explain(projectId, { uuid }, clock.now())
  })
  if (options.json) return printJson(explanationShape(explanation, 'rw'))
  for (const line of explanationLines(explanation, isoSeconds)) print(line)
}
