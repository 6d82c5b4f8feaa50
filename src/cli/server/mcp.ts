import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { clientEnvironment } from '../../config.js'
import { withExample } from '../options.js'
import { print, warn } from '../print.js'
import { connect, reach, type Server, type ServerOptions, withServer } from './connection.js'

/** How long a call may take, in ms. */
const TIMEOUT_MS = 60_000

export function addMcp(program: Command): void {
  const command = withServer(program.command('mcp'))
    .description(
      'Serve the tools of a server to an assistant, by the Model Context Protocol on standard input and output',
    )
    .action(serveMcp)
  withExample(command, 'punctual mcp --project Backups')
}

/** Passes each line of standard input on to the server, and its answers back, until the input ends. */
async function serveMcp(options: ServerOptions): Promise<void> {
  const server = await connect(options)
  const address = await addressOf(server, options)
  const running = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const answer = pass(line, address, server.token).finally(() => running.delete(answer))
    running.add(answer)
  }
  await Promise.all(running)
}

async function addressOf(server: Server, options: ServerOptions): Promise<string> {
  const address = `${server.url}/mcp`
  if ((options.project ?? clientEnvironment().project) === undefined) return address
  const [project] = await server.projects()
  return project?.uuid ? `${address}?project=${project.uuid}` : address
}

async function pass(line: string, address: string, token: string): Promise<void> {
  let reason: string
  try {
    const response = await reach(address, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json',
      },
      body: line,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.status === 202) return
    if (response.ok) return print(text)
    reason = reasonIn(text) ?? `${address} answered ${response.status}`
  } catch (error) {
    reason = (error as Error).message
  }
  warn(reason)
  for (const id of idsIn(line)) {
    print(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: reason } }))
  }
}

function reasonIn(text: string): string | undefined {
  try {
    return JSON.parse(text).error.message
  } catch {
    return undefined
  }
}

/** The IDs of the requests in a line; null for a line that is not JSON. */
function idsIn(line: string): unknown[] {
  try {
    const messages = [JSON.parse(line)].flat()
    return messages.filter(one => one?.id !== undefined && one.method !== undefined).map(one => one.id)
  } catch {
    return [null]
  }
}
