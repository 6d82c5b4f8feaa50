import type { Command } from 'commander'
import { jsonOption, projectOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { withStore } from '../with-store.js'
import { findProject } from './find-project.js'

export function addTokenList(parent: Command): void {
  parent
    .command('list')
    .addOption(projectOption())
    .addOption(jsonOption())
    .description('List the API tokens of a project, without their secrets')
    .action(listTokens)
}

async function listTokens({ project, json }: { project: string; json?: boolean }): Promise<void> {
  const found = await withStore(async ({ store }) => {
    const { id: projectId } = await findProject(store, project)
    return await store.projects.listApiTokens({ projectId })
  })
  const instant = (at: number | null) => (at === null ? null : isoSeconds(at))
  const tokens = found.map(({ uuid, name, hint, scopes, author, createdAt, usedAt, expiresAt }) => ({
    uuid,
    name,
    hint,
    scopes,
    author,
    created: isoSeconds(createdAt),
    used: instant(usedAt),
    expires: instant(expiresAt),
  }))
  if (json) return printJson(tokens)
  printTable(
    ['UUID', 'NAME', 'TOKEN', 'SCOPES', 'USED', 'EXPIRES'],
    tokens.map(({ uuid, name, hint, scopes, used, expires }) => [
      uuid,
      name,
      `${hint}…`,
      scopes.join(','),
      used ?? '-',
      expires ?? 'never',
    ]),
    'The project has no API tokens.',
  )
}
