import type { Readable } from 'node:stream'

/** After `FAST_BYTES`, streams are read more slowly: one chunk (64 kB) every `PAUSE_MS`. */
const FAST_BYTES = 1_048_576
const PAUSE_MS = 20

/**
 * Keeps the last `bytes` of the output of some streams. Long output is read slowly but to its end: a program that never
 * stops writing uses little CPU, and one that writes a lot still finishes.
 */
export class OutputTail {
  #chunks: Buffer[] = []
  #kept = 0
  #read = 0

  constructor(private readonly bytes: number) {}

  read(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#keep(chunk)
      if (this.#read < FAST_BYTES) return
      stream.pause()
      setTimeout(() => stream.resume(), PAUSE_MS)
    })
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-this.bytes).toString()
  }

  #keep(chunk: Buffer): void {
    const end = chunk.subarray(-this.bytes)
    this.#chunks.push(end)
    this.#kept += end.length
    this.#read += chunk.length
    while (this.#kept - this.#chunks[0]!.length >= this.bytes) this.#kept -= this.#chunks.shift()!.length
  }
}
