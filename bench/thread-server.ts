import { type ChildServer, startChildServer } from './child-server.js'

/**
 * Starts a server whose requests take the path of a ping: they go in batches to a thread, which appends each batch to
 * a file in `folder` and syncs it.
 */
export async function startThreadServer(folder: string): Promise<ChildServer> {
  return await startChildServer('./thread-server-process.js', { args: [folder] })
}
