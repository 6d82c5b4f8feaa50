import { createHash } from 'node:crypto'
import { RecentMap } from '../../lib/recent-map.js'

/** The maximum number of plans of queries that a connection keeps: each takes memory on the server. */
const MAX_READS = 250

/** The number of texts that are remembered after one run. */
const RUN_ONCE = 1_000

/** Which plans a pool's connections keep, until one is lost. */
export class Plans {
  #kept = true
  readonly #reads = new Set<string>()
  readonly #once = new RecentMap<string, true>(RUN_ONCE)

  /** `ofReads`: whether plans of queries are kept too, and not only those of statements that ask for it. */
  constructor(private readonly ofReads = false) {}

  /** The name of a statement whose plan is to be kept. */
  named(text: string): { name?: string } {
    return this.#kept ? { name: nameOf(text) } : {}
  }

  /** The name of a query if its plan is kept: from its second run on. */
  namedRead(text: string): { name?: string } {
    if (!this.ofReads || !this.#kept) return {}
    if (!this.#reads.has(text)) {
      if (this.#reads.size >= MAX_READS) return {}
      if (!this.#once.get(text)) {
        this.#once.set(text, true)
        return {}
      }
      this.#reads.add(text)
    }
    return { name: nameOf(text) }
  }

  /** Notes that a plan was lost: from now on none is kept. */
  lost(): void {
    this.#kept = false
  }
}

/** The name depends on the text, so that no process runs a statement that another version has prepared. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `punctual_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    names.set(text, name)
  }
  return name
}

const names = new Map<string, string>()
