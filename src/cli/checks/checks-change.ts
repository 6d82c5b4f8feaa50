import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { confirm } from '../confirm.js'
import { withExample } from '../options.js'
import { print } from '../print.js'
import { connect, type ServerOptions, withServer } from '../server/connection.js'
import { nameOf } from './check-words.js'
import { findServerCheck, refOf, type ServerCheck } from './find-server-check.js'

/** Adds `pause`, `resume` and `delete`. */
export function addChecksChanges(parent: Command): void {
  const pause = withServer(parent.command('pause'))
    .argument('<check...>', 'UUIDs, slugs or names')
    .description('Pause checks: nothing is expected of them until their next ping, or until they are resumed')
    .action((named: string[], options: ServerOptions) =>
      changeEach(named, options, async ({ check, project }) => {
        await project.api.pauseCheck(refOf(check), {})
        return 'Paused'
      }),
    )
  withExample(pause, 'punctual checks pause nightly-backup weekly-report')
  withServer(parent.command('resume'))
    .argument('<check...>', 'UUIDs, slugs or names')
    .description('Resume paused checks')
    .action((named: string[], options: ServerOptions) =>
      changeEach(named, options, async ({ check, project }) => {
        await project.api.resumeCheck(refOf(check), {})
        return 'Resumed'
      }),
    )
  withServer(parent.command('delete'))
    .argument('<check...>', 'UUIDs, slugs or names')
    .option('--yes', 'do not ask')
    .description('Delete checks with their logs')
    .action(deleteChecks)
}

async function deleteChecks(named: string[], { yes, ...options }: ServerOptions & { yes?: boolean }) {
  await changeEach(
    named,
    options,
    async ({ check, project }) => {
      await project.api.deleteCheck(refOf(check))
      return 'Deleted'
    },
    yes ? undefined : confirmDeletion,
  )
}

/** Finds all checks before it changes the first one. */
async function changeEach(
  named: readonly string[],
  options: ServerOptions,
  change: (found: ServerCheck) => Promise<string>,
  confirm?: (found: readonly ServerCheck[]) => Promise<void>,
): Promise<void> {
  const server = await connect(options)
  const found: ServerCheck[] = []
  for (const name of named) found.push(await findServerCheck(server, name))
  await confirm?.(found)
  for (const one of found) print(`${await change(one)} ${nameOf(one.check)}.`)
}

async function confirmDeletion(found: readonly ServerCheck[]): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Refusal('invalid', 'nothing was deleted: add --yes to delete without being asked')
  const names = found.map(({ check }) => nameOf(check)).join(', ')
  await confirm(`Delete ${names} with all logged pings?`, 'nothing was deleted')
}
