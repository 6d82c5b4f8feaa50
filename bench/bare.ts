import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What a bare server answers to everything. */
export interface BareAnswer {
  type: string
  body: string
}

export interface BareServer {
  origin: string
  pid: number
  stop(): Promise<void>
}

/** Starts a bare node:http server in a process of its own: the limit of what Node.js can serve here. */
export async function startBare(answer: BareAnswer): Promise<BareServer> {
  const child = fork(fileURLToPath(new URL('./bare-process.js', import.meta.url)), {
    serialization: 'advanced',
  })
  child.send(answer)
  const [port] = await once(child, 'message')
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
