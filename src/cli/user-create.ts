import type { Command } from 'commander'
import { jsonOption, withExample } from './options.js'
import { print, printJson } from './print.js'
import { withStore } from './with-store.js'

export function addUserCreate(parent: Command): void {
  const command = parent
    .command('create')
    .argument('<email>', 'the address to sign in with')
    .option('--password-stdin', 'read a password from standard input; without it the user has none yet')
    .addOption(jsonOption())
    .description('Make a user')
    .action(createUser)
  withExample(command, 'punctual user create alice@example.org --password-stdin < password.txt')
}

async function createUser(
  email: string,
  options: { passwordStdin?: boolean; json?: boolean },
): Promise<void> {
  const password = options.passwordStdin ? await firstLineOfInput() : null
  const { createUser } = await import('../actions/create-user.js')
  const user = await withStore(({ store, clock }) => createUser(store, clock, { email, password }))
  if (options.json) printJson({ uuid: user.uuid, email: user.email })
  else print(`Made the user ${user.email}.`)
}

async function firstLineOfInput(): Promise<string> {
  let input = ''
  for await (const piece of process.stdin.setEncoding('utf8')) input += piece
  return input.split(/\r?\n/, 1)[0]!
}
