import { type Command, InvalidArgumentError, Option } from 'commander'
import { Refusal } from '../../core/errors.js'
import { withExample } from '../options.js'
import { print } from '../print.js'
import { connect, reach, type ServerOptions, withServer } from '../server/connection.js'
import { nameOf } from './check-words.js'
import { findServerCheck } from './find-server-check.js'

interface Options extends ServerOptions {
  start?: boolean
  fail?: boolean
  log?: boolean
  exit?: number
  message?: string
}

export function addPing(program: Command): void {
  const command = withServer(program.command('ping'))
    .argument('<check>', 'its UUID, slug or name')
    .addOption(new Option('--start', 'the job has started').conflicts(['fail', 'log', 'exit']))
    .addOption(new Option('--fail', 'the job has failed').conflicts(['log', 'exit']))
    .addOption(new Option('--log', 'only log the message').conflicts('exit'))
    .option('--exit <status>', 'the job has ended with this exit status', exitStatus)
    .option('--message <text>', 'a text for the log, or `-` to read it from standard input')
    .description('Ping a check: a success, unless an option says otherwise')
    .action(sendPing)
  withExample(command, 'punctual ping nightly-backup --fail --message "disk full"')
}

async function sendPing(
  named: string,
  { start, fail, log, exit, message, ...options }: Options,
): Promise<void> {
  const { check } = await findServerCheck(await connect(options), named)
  if (!('ping_url' in check))
    throw new Refusal('forbidden', 'a token that may only read is not told the ping URL')
  const action = start ? '/start' : fail ? '/fail' : log ? '/log' : exit === undefined ? '' : `/${exit}`
  const { exchange } = await import('../../client/transport.js')
  const body = message === '-' ? await readStandardInput() : message
  await exchange(
    { url: check.ping_url, fetch: reach },
    { method: 'POST', path: action, ...(body === undefined ? {} : { body }) },
  )
  print(`Pinged ${nameOf(check)}.`)
}

async function readStandardInput(): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece))
  return new Uint8Array(Buffer.concat(pieces))
}

function exitStatus(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 255)
    throw new InvalidArgumentError('It is a number from 0 to 255.')
  return Number(text)
}
