import type { Command } from 'commander'
import { plural } from '../../core/text/plural.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson } from '../print.js'
import { withStore } from '../with-store.js'

export function addUserSignOut(parent: Command): void {
  const command = parent
    .command('sign-out')
    .argument('<email>', 'the e-mail address of the user')
    .addOption(jsonOption())
    .description('End all sessions of a user, and revoke their sign-in links, API tokens and invitations')
    .action(signOut)
  withExample(command, 'punctual user sign-out alice@example.org')
}

async function signOut(email: string, options: { json?: boolean }): Promise<void> {
  const { findUserByAddress } = await import('../../actions/people/find-user.js')
  const sessions = await withStore(async ({ store, clock }) => {
    const user = await findUserByAddress(store, email)
    return await store.people.endSignIns(user.id, clock.now())
  })
  if (options.json) return printJson({ sessions })
  print(`Ended ${plural(sessions, 'session')} of ${email}.`)
}
