import type { Command } from 'commander'
import { jsonOption, type KeyKind, keyKindOption, projectOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { withStore } from '../with-store.js'
import { findProject } from './find-project.js'

export function addKeyList(parent: Command): void {
  parent
    .command('list')
    .addOption(projectOption())
    .addOption(keyKindOption())
    .addOption(jsonOption())
    .description('List the keys of a project: the ping key, and the first characters of API keys')
    .action(listKeys)
}

async function listKeys(options: { project: string; kind?: KeyKind; json?: boolean }): Promise<void> {
  const keys = await withStore(async ({ store }) => {
    const { id, pingKey } = await findProject(store, options.project)
    const apiKeys = await store.projects.listApiKeys(id)
    return [
      ...apiKeys.map(({ kind, hint, createdAt }) => ({
        kind,
        hint,
        key: hint,
        created: isoSeconds(createdAt),
      })),
      ...(pingKey === null ? [] : [{ kind: 'ping', key: pingKey, created: null }]),
    ]
  })
  const chosen = keys.filter(({ kind }) => options.kind === undefined || kind === options.kind)
  if (options.json) return printJson(chosen)
  printTable(
    ['KIND', 'KEY OR HINT', 'CREATED'],
    chosen.map(({ kind, key, created }) => [kind, kind === 'ping' ? key : `${key}…`, created ?? '-']),
    'The project has no such keys.',
  )
}
