import { createHash } from 'node:crypto'
import { RecentMap } from '../../lib/recent-map.js'

/** The most plans of reads that a connection keeps: each takes memory of the server. */
const MOST_READS = 250

/** How many texts are remembered that were run once. */
const RUN_ONCE = 1_000

/** Which plans a pool's connections keep: until it turns out that something in between loses them. */
export class Plans {
  #kept = true
  readonly #reads = new Set<string>()
  readonly #once = new RecentMap<string, true>(RUN_ONCE)

  /** `ofReads`: whether plans of queries are kept as well, and not only those of the statements that ask for it. */
  constructor(private readonly ofReads = false) {}

  /** The name of a statement that asks to be kept. */
  named(text: string): { name?: string } {
    return this.#kept ? { name: nameOf(text) } : {}
  }

  /** The name of a query where it is kept: from the second time that its text is run. */
  namedRead(text: string): { name?: string } {
    if (!this.ofReads || !this.#kept) return {}
    if (!this.#reads.has(text)) {
      if (this.#reads.size >= MOST_READS) return {}
      if (!this.#once.get(text)) {
        this.#once.set(text, true)
        return {}
      }
      this.#reads.add(text)
    }
    return { name: nameOf(text) }
  }

  /** A plan is gone: none is kept any more. */
  lost(): void {
    this.#kept = false
  }
}

/** Another text has another name, so that no process can run what another version has prepared. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `punctual_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    names.set(text, name)
  }
  return name
}

const names = new Map<string, string>()
