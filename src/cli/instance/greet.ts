import { basename, relative } from 'node:path'
import type { Config } from '../../config.js'
import { print } from '../print.js'

/** Prints the first steps on the first run, as commands to paste. */
export function greet({ SITE_NAME, PING_ENDPOINT }: Config, made: { project: string; check: string }): void {
  print(`Welcome to ${SITE_NAME}. There is a project "Default" with a check "My first check". Ping it:

  curl ${PING_ENDPOINT}${made.check}

Make an API key for the project (the same command shows what else there is with --help):

  ${ownCommand()} key create --project ${made.project} --kind rw
`)
}

/** Prints the link that creates the first account. It is a secret, so it is not logged. */
export function invite({ SITE_ROOT }: Config, path: string): void {
  print(`Create the first account here (the link works once, within a week; each start prints a new one):

  ${SITE_ROOT}${path}
`)
}

/** The command that runs this program: `punctual` if it is installed, `node dist/main.js` in a checkout. */
function ownCommand(): string {
  const script = process.argv[1]!
  return basename(script) === 'punctual' ? 'punctual' : `node ${relative(process.cwd(), script)}`
}
