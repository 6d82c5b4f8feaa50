import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The pings that the quiet tenant sends; each path of `failing` and `silent` is sent once. */
export interface QuietLoad {
  origin: string
  pinged: readonly string[]
  failing: readonly string[]
  silent: readonly string[]
}

/** A ping of the quiet tenant. */
export interface QuietPing {
  what: 'pinged' | 'failing' | 'silent'
  /** Its place in the load. */
  place: number
  /** When it was due to be sent (ms UTC), and from then to its answer. */
  at: number
  ms: number
  isRefused: boolean
}

/** Sends the pings from another process until the returned function is called, which returns them all. */
export function startQuiet(load: QuietLoad): () => Promise<QuietPing[]> {
  const child = fork(fileURLToPath(new URL('./quiet-process.js', import.meta.url)))
  child.send(load)
  return async () => {
    child.send('stop')
    const [pings] = await once(child, 'message')
    child.kill('SIGKILL')
    return pings as QuietPing[]
  }
}
