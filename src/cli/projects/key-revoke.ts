import type { Command } from 'commander'
import { plural } from '../../core/text/plural.js'
import { confirm } from '../confirm.js'
import { jsonOption, type KeyKind, keyKindOption, projectOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'
import { findProject } from './find-project.js'

export function addKeyRevoke(parent: Command): void {
  const command = parent
    .command('revoke')
    .addOption(projectOption())
    .addOption(keyKindOption().makeOptionMandatory())
    .option('--hint <start>', 'only the API key with these first characters, as shown by `key list`')
    .option('--yes', 'do not ask before all keys of the kind are revoked')
    .addOption(jsonOption())
    .description('Revoke all keys of one kind, or the one that --hint names')
    .action(revokeKey)
  withExample(command, 'punctual key revoke --project 6f1c1a5e-… --kind ro --hint hcr_k3Zd')
}

interface Options {
  project: string
  kind: KeyKind
  hint?: string
  yes?: boolean
  json?: boolean
}

async function revokeKey({ project, kind, hint, yes, json }: Options): Promise<void> {
  // Scripts, which nobody can answer for, go on as they did.
  if (hint === undefined && !yes && process.stdin.isTTY)
    await confirm(`Revoke all ${kind} keys of ${project}?`, 'nothing was revoked')
  const { revokeKeys } = await import('../../actions/projects/revoke-keys.js')
  const revoked = await withStore(async ({ store, clock }) => {
    const { id: projectId } = await findProject(store, project)
    return await revokeKeys(store, { projectId, kind, hint, now: clock.now() })
  })
  if (json) printJson({ revoked })
  else print(`Revoked ${plural(revoked, 'key')}.`)
}
