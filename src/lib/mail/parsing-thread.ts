import { Worker } from 'node:worker_threads'
import type { MailTexts } from './mail-texts.js'

function startWorker(memoryMb: number): Worker {
  return new Worker(new URL('./mail-thread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
}

/** A thread that parses e-mails, one at a time. It does not keep the process alive. */
export class ParsingThread {
  readonly #worker: Worker | null
  /** Resolves when it can parse; rejects if it cannot be started. */
  readonly started: Promise<void>
  #hasEnded = false

  constructor(memoryMb: number, start = startWorker) {
    let worker: Worker
    try {
      worker = start(memoryMb)
    } catch (error) {
      // Where no more threads are allowed, it throws.
      this.#worker = null
      this.#hasEnded = true
      this.started = Promise.reject(error)
      this.started.catch(() => {})
      return
    }
    this.#worker = worker
    worker.once('exit', () => {
      this.#hasEnded = true
    })
    this.started = new Promise((resolve, reject) => {
      worker.once('message', () => {
        worker.unref()
        resolve()
      })
      // Later errors, such as out of memory, are followed by an exit.
      worker.on('error', reject)
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The texts of an e-mail; null if the thread ends before, because of `end` or for lack of memory. */
  async parse(raw: Uint8Array): Promise<MailTexts | null> {
    const worker = this.#worker
    if (!worker || this.#hasEnded) return null
    return await new Promise(resolve => {
      const settle = (texts: MailTexts | null) => {
        worker.off('message', settle)
        worker.off('exit', onExit)
        resolve(texts)
      }
      const onExit = () => settle(null)
      worker.once('message', settle)
      worker.once('exit', onExit)
      worker.postMessage(raw)
    })
  }

  end(): void {
    this.#hasEnded = true
    void this.#worker?.terminate()
  }
}
