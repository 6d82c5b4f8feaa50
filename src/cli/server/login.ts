import type { Command } from 'commander'
import { clientEnvironment } from '../../config.js'
import { Refusal } from '../../core/errors.js'
import { withExample } from '../options.js'
import { print } from '../print.js'
import { baseAddress, openServer } from './connection.js'
import { readLogins, writeLogins } from './login-file.js'
import { readSecret } from './read-secret.js'

/** Adds `login` and `logout`. */
export function addLogin(program: Command): void {
  const command = program
    .command('login')
    .argument('<url>', 'the address of the server')
    .description('Remember a server and an API token, which is read from standard input, for other commands')
    .action(login)
  withExample(command, 'punctual login https://punctual.example.org < token.txt')
  program
    .command('logout')
    .argument('[url]', 'the address of the server (default: the last one that was signed in to)')
    .description('Forget the token of a server; it stays valid until it is revoked')
    .action(logout)
}

async function login(address: string): Promise<void> {
  const url = baseAddress(address)
  const hint = `Make an API token at ${url}/accounts/tokens/add/ or in a project's settings, and paste it: `
  const token = (await readSecret(hint)).trim()
  if (token === '') throw new Refusal('invalid', 'no token was given')
  const projects = await (await openServer({ url, token })).projects()
  // A token that may list nothing is refused here, and not by the first command that needs it.
  for (const { api } of projects.slice(0, 1)) await api.listTags({ limit: 1 }).next()
  const { loginFile } = clientEnvironment()
  const { tokens } = await readLogins(loginFile)
  await writeLogins(loginFile, { current: url, tokens: { ...tokens, [url]: token } })
  const names = projects.map(({ name }) => name || 'that of the key').join(', ')
  print(`Signed in to ${url}. Projects: ${names || 'none'}.`)
}

async function logout(address: string | undefined): Promise<void> {
  const { loginFile } = clientEnvironment()
  const { current, tokens } = await readLogins(loginFile)
  const url = address === undefined ? current : baseAddress(address)
  if (url === null || !(url in tokens))
    throw new Refusal('not-found', `not signed in${url ? ` to ${url}` : ''}`)
  const { [url]: _forgotten, ...others } = tokens
  const left = current === url ? (Object.keys(others)[0] ?? null) : current
  await writeLogins(loginFile, { current: left, tokens: others })
  print(`Signed out of ${url}.`)
}
