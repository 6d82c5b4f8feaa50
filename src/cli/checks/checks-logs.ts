import { type Command, InvalidArgumentError } from 'commander'
import type { Api } from '../../client/index.js'
import { runLength } from '../../core/time/duration.js'
import { jsonOption, withExample } from '../options.js'
import { print, printJson, printTable } from '../print.js'
import { connect, type ServerOptions, withServer } from '../server/connection.js'
import { findServerCheck, refOf } from './find-server-check.js'

interface Options extends ServerOptions {
  limit: number
  output?: boolean
  json?: boolean
}

export function addChecksLogs(parent: Command): void {
  const command = withServer(parent.command('logs'))
    .argument('<check>', 'its UUID, slug or name')
    .option('--limit <number>', 'how many pings', wholeNumber, 20)
    .option('--output', 'print the text that came with the last ping that had one')
    .addOption(jsonOption())
    .description('List the last pings of a check, newest first')
    .action(showLogs)
  withExample(command, 'punctual checks logs nightly-backup --output')
}

async function showLogs(named: string, { limit, output, json, ...options }: Options): Promise<void> {
  const { check, project } = await findServerCheck(await connect(options), named)
  const uuid = refOf(check)
  const pings: Api.Ping[] = []
  for await (const ping of project.api.listPings(uuid, { limit: Math.min(limit, 1_000) })) {
    if (pings.length === limit) break
    pings.push(ping)
  }
  if (output) {
    const last = pings.find(({ body_size }) => body_size > 0)
    if (!last) return print('None of these pings came with a text.')
    const body = await project.api.getPingBody(uuid, last.n)
    process.stdout.write(new Uint8Array(await body.arrayBuffer()))
    return
  }
  if (json) return printJson(pings)
  printTable(
    ['PING', 'AT', 'KIND', 'EXIT', 'DURATION', 'FROM', 'BYTES'],
    pings.map(ping => [
      `#${ping.n}`,
      ping.at,
      ping.cause === null || ping.kind === 'fail' ? ping.kind : `${ping.kind} (${ping.cause})`,
      ping.exit_status === null ? '-' : String(ping.exit_status),
      ping.duration === null ? '-' : runLength(ping.duration * 1000),
      ping.remote_addr ?? '-',
      String(ping.body_size),
    ]),
    'There are no pings.',
  )
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a number from 1 on.')
  return Number(text)
}
