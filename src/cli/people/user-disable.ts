import type { Command } from 'commander'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'

/** `user disable` and `user enable`. */
export function addUserDisable(parent: Command): void {
  const disable = parent
    .command('disable')
    .argument('<email>', 'the address of the user')
    .addOption(jsonOption())
    .description('Sign a user out and block sign-in; projects keep working')
    .action((email, options) => setDisabled(email, true, options))
  withExample(disable, 'punctual user disable alice@example.org')
  const enable = parent
    .command('enable')
    .argument('<email>', 'the address of the user')
    .addOption(jsonOption())
    .description('Allow a disabled user to sign in again')
    .action((email, options) => setDisabled(email, false, options))
  withExample(enable, 'punctual user enable alice@example.org')
}

async function setDisabled(email: string, disabled: boolean, options: { json?: boolean }): Promise<void> {
  const { findUserByAddress } = await import('../../actions/people/find-user.js')
  await withStore(async ({ store, clock }) => {
    const user = await findUserByAddress(store, email)
    await store.people.setDisabled(user.id, disabled ? clock.now() : null)
  })
  if (options.json) return printJson({ disabled })
  print(
    disabled
      ? `${email} can no longer sign in. API keys and tokens of projects still work, but manage no members.`
      : `${email} can sign in again.`,
  )
}
