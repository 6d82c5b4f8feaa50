import type { Command } from 'commander'
import { knowsServer, type ServerOptions, withServer } from '../server/connection.js'

export interface SourceOptions extends ServerOptions {
  local?: boolean
}

/** Adds the options of commands that ask a server if one is known, and else use the database of this installation. */
export function withSource(command: Command): Command {
  return withServer(command).option(
    '--local',
    'use the database of this installation (default if no server is known)',
  )
}

/** Whether a server is asked. */
export async function asksServer(options: SourceOptions): Promise<boolean> {
  return !options.local && (await knowsServer(options))
}
