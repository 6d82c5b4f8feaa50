import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { Refusal } from '../../core/errors.js'
import { withExample } from '../options.js'
import { print } from '../print.js'
import { connect, type Server, type ServerOptions, withServer } from '../server/connection.js'
import { findServerCheck } from './find-server-check.js'

export function addOpen(program: Command): void {
  const command = withServer(program.command('open'))
    .argument('[check]', 'its UUID, slug or name; without it the list of all checks is opened')
    .option('--print', 'print the address instead')
    .description('Open a check in the browser')
    .action(open)
  withExample(command, 'punctual open nightly-backup')
}

async function open(named: string | undefined, options: ServerOptions & { print?: boolean }): Promise<void> {
  const address = await addressOf(await connect(options), named)
  if (options.print || !(await openInBrowser(address))) print(address)
}

async function addressOf(server: Server, named: string | undefined): Promise<string> {
  if (named === undefined) return `${server.url}/checks/`
  const { check } = await findServerCheck(server, named)
  if (!('uuid' in check)) throw new Refusal('forbidden', 'a key that may only read is not told the address')
  return `${server.url}/checks/${check.uuid}/details/`
}

/** The programs that open an address in the user's browser. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Whether the program that opens addresses could be started. */
async function openInBrowser(address: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  return await new Promise(resolve => {
    const opener = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    opener.once('error', () => resolve(false))
    opener.once('spawn', () => {
      opener.unref()
      resolve(true)
    })
  })
}
