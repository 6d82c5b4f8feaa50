import type { Writable } from 'node:stream'

/**
 * Writes the lines of the log to a stream. Lines that cannot be written, because the disk is full or their reader has
 * ended, are dropped, and `tell` is called with their number before the next line: it logs that.
 */
export class LogOutput {
  #lost = 0
  /** From the call of `tell` until its line is written or lost. */
  #isTelling = false
  #isNotice = false

  constructor(
    private readonly stream: Pick<Writable, 'write' | 'on'>,
    private readonly tell: (lost: number) => void,
  ) {
    // Without a listener an error would end the process.
    stream.on('error', () => {})
  }

  /** Writes a line with its newline. Never throws. */
  write(line: string): void {
    if (this.#isNotice) {
      this.#writeNotice(line)
      return
    }
    if (this.#lost > 0 && !this.#isTelling) {
      this.#isTelling = true
      this.#isNotice = true
      this.tell(this.#lost)
      this.#isNotice = false
    }
    this.stream.write(line, error => {
      if (error) this.#lost++
    })
  }

  #writeNotice(line: string): void {
    const told = this.#lost
    // Of the last line only a part may have been written.
    this.stream.write(`\n${line}`, error => {
      this.#isTelling = false
      if (!error) this.#lost -= told
    })
  }
}
