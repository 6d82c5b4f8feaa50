import type { Command } from 'commander'
import { jsonOption, withExample } from '../options.js'
import { isoSeconds, print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { asksServer, type SourceOptions, withSource } from './choose-source.js'
import { findCheck } from './find-check.js'

export function addExplain(program: Command): void {
  const command = withSource(program.command('explain'))
    .argument('<check>', 'the UUID, slug or name of a check')
    .addOption(jsonOption())
    .description(
      'Explain what each channel of a check was sent, and what waits, is held or was dropped, and why',
    )
    .action(explain)
  withExample(command, 'punctual explain nightly-backup')
}

async function explain(named: string, options: SourceOptions & { json?: boolean }): Promise<void> {
  const { explanationLines } = await import('../../core/incidents/explanation.js')
  const { explanation, shape } = (await asksServer(options))
    ? await askServer(named, options)
    : await askStore(named)
  if (options.json) return printJson(shape)
  for (const line of explanationLines(explanation, isoSeconds)) print(line)
}

async function askServer(named: string, options: SourceOptions) {
  const [{ connect }, { findServerCheck, refOf }, { serverExplanation }] = await Promise.all([
    import('../server/connection.js'),
    import('../checks/find-server-check.js'),
    import('./server-explanation.js'),
  ])
  const { check, project } = await findServerCheck(await connect(options), named)
  const shape = await project.api.explainCheck(refOf(check))
  return { shape, explanation: await serverExplanation(project, shape) }
}

async function askStore(named: string) {
  const { explanationShape } = await import('../../core/wire/explanation.js')
  const explanation = await withStore(async ({ store, clock }) => {
    const { projectId, uuid } = await findCheck(store, named)
    return await store.incidents.explain(projectId, { uuid }, clock.now())
  })
  return { explanation, shape: explanationShape(explanation, 'rw') }
}
