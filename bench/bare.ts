import { type ChildServer, startChildServer } from './child-server.js'

/** What a bare server answers to everything. */
export interface BareAnswer {
  type: string
  body: string
}

/** Starts a bare node:http server in a process of its own: the limit of what Node.js can serve here. */
export async function startBare({ type, body }: BareAnswer): Promise<ChildServer> {
  return await startChildServer('./bare-process.js', { order: { type, body } })
}
