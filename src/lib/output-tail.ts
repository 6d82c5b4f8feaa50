import type { Readable } from 'node:stream'

/** After so many bytes a stream is read more slowly: one chunk (64 kB) every so many ms. */
const FAST_BYTES = 1_048_576
const PAUSE_MS = 20

/**
 * Keeps the last `bytes` of what some streams bring. One that brings much is read slowly, but to its end, so that a
 * program which writes without end costs little, and one that writes much still comes to its own end.
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
