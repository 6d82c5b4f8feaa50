import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { ReceivePauses } from './receive-pauses.js'

/**
 * A connection under TLS. What it receives waits while its network pauses, and is limited: `mayReceive` is called with
 * the number of bytes received so far, and ends the connection by returning false.
 */
export class PacedStream extends Duplex {
  readonly #address: string
  #received = 0
  #timer: NodeJS.Timeout | null = null

  constructor(
    private readonly socket: Socket,
    private readonly pauses: ReceivePauses,
    private readonly mayReceive: (bytes: number) => boolean,
  ) {
    super()
    this.#address = socket.remoteAddress ?? ''
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('end', () => this.push(null))
    socket.on('error', error => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  #receive(chunk: Buffer): void {
    const pauseMs = this.pauses.pauseFor(this.#address)
    if (pauseMs > 0) {
      this.socket.pause()
      this.socket.unshift(chunk)
      this.#timer = setTimeout(() => this.socket.resume(), pauseMs)
      return
    }
    this.#received += chunk.length
    if (!this.mayReceive(this.#received)) this.destroy()
    else if (!this.#pass(chunk)) this.socket.pause()
  }

  /** Whether more may follow at once. */
  #pass(chunk: Buffer): boolean {
    let goesOn = true
    this.pauses.process(this.#address, () => {
      goesOn = this.push(chunk)
    })
    return goesOn
  }

  override _read(): void {
    if (this.pauses.pauseFor(this.#address) === 0) this.socket.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, encoding, done)
  }

  override _final(done: () => void): void {
    this.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.socket.destroy()
    done(error)
  }
}
