/** Keeps one row that cannot be written or read from stopping the work on all others. Decision 0156. */
import { setTimeout as sleep } from 'node:timers/promises'
import { mayBeOneRow } from './errors.js'

/** The pause (ms) before what failed is tried again: it doubles with each failure, up to the longest. */
const PAUSE_MS = { first: 1_000, longest: 60_000 }

/** How often (ms) one of all that failed is tried: others may have failed for the same reason, and are then tried at once. */
const PROBE_MS = 10_000

/** What was not tried again for so long (ms) after its pause is gone, or has nothing to do any more. Some jobs run once a minute. */
const GONE_MS = 120_000

/** How often (ms) to look whether a pause has ended early. */
const LOOK_MS = 1_000

/** If more fail at a time, the fault is hardly in rows of theirs. */
const MOST = 200

/** What a transaction works on, by ID: those in `only` if present, without those in `except`. */
export interface Among {
  only?: readonly number[]
  except?: readonly number[]
}

/** What could not be written or read, alone. */
export interface Failed {
  /** What `id` is the ID of; `mail`: an e-mail to a person. */
  what: 'check' | 'channel' | 'incident' | 'delivery' | 'mail' | 'project' | 'user'
  id: number
  error: unknown
  /** How long (ms) until it is tried again. */
  pauseMs: number
}

/** The parts of one kind of work that this process leaves out for a while, because they failed alone. */
export class SetAside {
  /** `pauseMs`: its own pause, even if it is tried before that. */
  readonly #failed = new Map<number, { pauseMs: number; until: number }>()

  /** `onFailed` is called with each failure. */
  constructor(
    private readonly what: Failed['what'],
    private readonly onFailed: (failed: Failed) => void,
    private readonly now = () => performance.now(),
  ) {}

  /** Those that failed when they were last tried. */
  get ids(): number[] {
    const gone = this.now() - GONE_MS
    for (const [id, { until }] of this.#failed) if (until < gone) this.#failed.delete(id)
    return [...this.#failed.keys()]
  }

  /** Those that are to be left out now. */
  get leftOut(): number[] {
    return this.ids.filter(id => this.pauseOf(id) > 0)
  }

  has(id: number): boolean {
    return this.#failed.has(id)
  }

  /** How long (ms) it is still to be left out. */
  pauseOf(id: number): number {
    return Math.max(0, (this.#failed.get(id)?.until ?? 0) - this.now())
  }

  /** Waits until it is not to be left out any more, or `signal` aborts. */
  async wait(id: number, signal: AbortSignal): Promise<void> {
    while (this.pauseOf(id) > 0 && !signal.aborted)
      await sleep(Math.min(this.pauseOf(id), LOOK_MS), undefined, { signal }).catch(() => {})
  }

  /** Sets aside what failed alone. Throws the error instead if too much is set aside. */
  fail(id: number, error: unknown): void {
    const before = this.#failed.get(id)
    if (!before && this.ids.length >= MOST) throw error
    const now = this.now()
    this.#failed.delete(id)
    const isProbe = ![...this.#failed.values()].some(({ until }) => until > now && until <= now + PROBE_MS)
    const own = before ? Math.min(2 * before.pauseMs, PAUSE_MS.longest) : PAUSE_MS.first
    const pauseMs = isProbe ? Math.min(own, PROBE_MS) : own
    this.#failed.set(id, { pauseMs: own, until: now + pauseMs })
    this.onFailed({ what: this.what, id, error, pauseMs })
  }

  /** Notes that it did not fail any more. Others may have failed for the same reason, so they are tried at once. */
  succeed(id: number): void {
    if (!this.#failed.delete(id)) return
    for (const other of this.#failed.values()) other.until = this.now()
  }

  /**
   * Runs `work` on all that is not set aside. If that fails because of one row, it is run on those that `find` returns divided, until
   * what fails is alone. Then what was set aside is tried again, each alone, if its pause is over.
   */
  async pass(
    find: (except: readonly number[]) => Promise<readonly number[]>,
    work: (among: Among) => Promise<void>,
  ): Promise<void> {
    const except = this.ids
    const again = except.filter(id => this.pauseOf(id) === 0)
    const some = (only: readonly number[]) => work({ only })
    try {
      await whole(
        () => work({ except }),
        async error => {
          const found = await find(except)
          if (found.length > 0) return await divide(found, error, some, (id, reason) => this.fail(id, reason))
          // It fails even if there is nothing to do.
          this.#failed.clear()
          throw error
        },
      )
    } finally {
      for (const id of again) await this.tryAlone(id, () => some([id]))
    }
  }

  /** Runs `work` on one alone, if it is not to be left out now. If it fails because of a row, it is set aside. */
  async tryAlone(id: number, work: () => Promise<void>): Promise<void> {
    if (this.pauseOf(id) > 0) return
    await whole(
      async () => {
        await work()
        this.succeed(id)
      },
      error => this.fail(id, error),
    )
  }
}

/** Runs `work`, which failed with `error` on these, on halves of them, until what fails is alone: `onAlone` is called with that. */
export async function divide(
  ids: readonly number[],
  error: unknown,
  work: (ids: readonly number[]) => Promise<void>,
  onAlone: (id: number, error: unknown) => void,
): Promise<void> {
  if (ids.length === 1) return onAlone(ids[0]!, error)
  const half = Math.ceil(ids.length / 2)
  for (const some of [ids.slice(0, half), ids.slice(half)])
    await whole(
      () => work(some),
      reason => divide(some, reason, work, onAlone),
    )
}

/** Runs `work`, and `divide` with its error if one row may be the reason. */
async function whole(work: () => Promise<void>, divide: (error: unknown) => Promise<void> | void) {
  try {
    await work()
  } catch (error) {
    if (!mayBeOneRow(error)) throw error
    await divide(error)
  }
}

/** For callers that leave nothing out: the first failure is thrown. */
export function nothingAside(what: Failed['what']): SetAside {
  return new SetAside(what, ({ error }) => {
    throw error
  })
}
