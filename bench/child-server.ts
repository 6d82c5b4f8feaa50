import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ProcessorTimes, processorTimes } from './processor-time.js'

/** A server that a script of this folder runs in a process of its own. */
export interface ChildServer {
  origin: string
  /** Its processor time so far. */
  times(): ProcessorTimes
  /** Sends a message to the process and resolves with its next message. */
  ask(message: Serializable): Promise<unknown>
  stop(): Promise<void>
}

/** Starts `script` with `args`, and sends it `order` if there is one. Resolves when it has reported its port. */
export async function startChildServer(
  script: string,
  { args = [], order }: { args?: string[]; order?: Serializable } = {},
): Promise<ChildServer> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args)
  const ask = async (message: Serializable) => {
    child.send(message)
    const [answer] = await once(child, 'message')
    return answer
  }
  const port = order === undefined ? (await once(child, 'message'))[0] : await ask(order)
  return {
    origin: `http://127.0.0.1:${port}`,
    times: () => processorTimes(child.pid!, null),
    ask,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
