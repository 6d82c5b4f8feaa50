import type { Command } from 'commander'
import { plural } from '../../core/text/plural.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'

export function addUserRemoveSecondStep(parent: Command): void {
  const command = parent
    .command('remove-second-step')
    .argument('<email>', 'the e-mail address of the user')
    .addOption(jsonOption())
    .description('Remove the second step of a user who has lost it and the recovery codes')
    .action(remove)
  withExample(command, 'punctual user remove-second-step alice@example.org')
}

async function remove(email: string, options: { json?: boolean }): Promise<void> {
  const { removeSecondStep } = await import('../../actions/people/remove-second-step.js')
  const removed = await withStore(async ({ store }) => await removeSecondStep(store, email))
  if (options.json) return printJson({ ...removed })
  const { app, passkeys } = removed
  if (!app && passkeys === 0) return print(`${email} has no second step.`)
  const keys = passkeys > 0 ? plural(passkeys, 'passkey') : null
  const parts = [app ? 'the authenticator app' : null, keys].filter(part => part !== null)
  print(`Removed ${parts.join(' and ')} of ${email}, and the recovery codes.`)
}
