import { type ChildServer, startChildServer } from './child-server.js'

/** The answer that a bare server gives to every request. */
export interface BareAnswer {
  type: string
  body: string
}

/** Starts a bare node:http server in a process of its own: the most that Node.js can serve on this machine. */
export async function startBare({ type, body }: BareAnswer): Promise<ChildServer> {
  return await startChildServer('./bare-process.js', { order: { type, body } })
}
