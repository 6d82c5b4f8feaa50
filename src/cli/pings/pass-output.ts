/** Passes the output of a command on, and keeps its end. */
import { spawn } from 'node:child_process'
import { close, constants, openSync, write } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** How much of the output is kept, in bytes. */
const KEPT_BYTES = 100_000

/** The last bytes of what is added. */
export class Tail {
  #chunks: Buffer[] = []
  #size = 0

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size - this.#chunks[0]!.length >= KEPT_BYTES) this.#size -= this.#chunks.shift()!.length
  }

  /** Up to `most` bytes from the end. */
  bytes(most = KEPT_BYTES): Buffer {
    const all = Buffer.concat(this.#chunks)
    return all.subarray(Math.max(0, all.length - Math.min(most, KEPT_BYTES)))
  }
}

/** Reads to the end of `source`, writes it to the file descriptor `to`, and keeps its end. */
export async function passOn(source: Readable, to: 1 | 2, tail: Tail): Promise<void> {
  try {
    for await (const chunk of source) {
      tail.add(chunk)
      // The next writer is told that nobody reads any more, as without this program in between.
      if (!(await writeAll(to, chunk))) return
    }
  } catch {
    // The output has ended in another way.
  }
}

/** Writes all of it, in another thread, so that a slow reader keeps no signal from being handled. */
async function writeAll(to: number, chunk: Buffer): Promise<boolean> {
  for (let from = 0; from < chunk.length; ) {
    const written = await new Promise<number | null>(resolve =>
      write(to, chunk, from, (error, count) => {
        if (!error) resolve(count)
        else if (error.code === 'EAGAIN') setTimeout(resolve, 10, 0)
        else resolve(null)
      }),
    )
    if (written === null) return false
    from += written
  }
  return true
}

/** The two ends of a named pipe: a socket of Node.js would be none that a command can open again, as /dev/stderr. */
export function openPipe(path: string): { source: Socket; writable: number } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writable = openSync(path, constants.O_WRONLY)
  return { source: new Socket({ fd, readable: true, writable: false }), writable }
}

/** Lets another process pass on what a child in the background still writes. */
export function handOver(path: string, to: 1 | 2): void {
  const fd = openSync(path, constants.O_RDONLY)
  spawn('cat', [], { stdio: [fd, to, 'ignore'], detached: true })
    .on('error', () => {})
    .unref()
  close(fd, () => {})
}
