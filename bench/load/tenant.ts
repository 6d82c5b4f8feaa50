import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What the owner of many checks asks of the API, over and over. */
export interface TenantLoad {
  origin: string
  /** A key that may read and write. */
  key: string
  pingKey: string
  /** The UUIDs of the checks. */
  checks: readonly string[]
  /**
   * `list`: all checks; `edit`: changes of one after the other; `churn`: creates one, lets it fail, deletes it; `ping new`: pings slugs that
   * have no check yet.
   */
  does: 'list' | 'edit' | 'churn' | 'ping new'
  /** How many requests at once. */
  clients: number
}

/** Sends these requests from another process until the returned function is called, which returns how many were answered. */
export function startTenant(load: TenantLoad): () => Promise<number> {
  const child = fork(fileURLToPath(new URL('./tenant-process.js', import.meta.url)))
  child.send(load)
  return async () => {
    child.send('stop')
    const [answered] = await once(child, 'message')
    child.kill('SIGKILL')
    return answered as number
  }
}
