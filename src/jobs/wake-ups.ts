import type { Clock } from '../lib/clock.js'
import type { CutHold } from '../storage/instance/wake-after-cut.js'
import type { StoreWith } from '../storage/store.js'

interface WakeUpDeps {
  store: StoreWith<'instance.wakeAfterCut'>
  clock: Clock
  onError(error: unknown): void
}

/** A transaction that had judged by the hold may have ended after it was cut, or have locked what waits: so it is looked for once more. */
const LOOKS = 2

/** Wakes what waits for holds that were cut: once when that happens, and once more with the next beat. */
export function wakeUps({ store, clock, onError }: WakeUpDeps) {
  let pending: { cut: CutHold; looks: number }[] = []
  let waking: Promise<void> | null = null

  async function wake(): Promise<void> {
    for (const one of pending) {
      for (let left: CutHold | null = one.cut; left !== null; )
        left = (await store.instance.wakeAfterCut(clock.now(), left)).left
      one.looks--
    }
    pending = pending.filter(({ looks }) => looks > 0)
  }

  return {
    /** Called after each beat, with the hold that it cut. Nothing waits for this. */
    follow(cut?: CutHold): void {
      if (cut) pending.push({ cut, looks: LOOKS })
      if (pending.length === 0 || waking) return
      waking = wake()
        .catch(onError)
        .finally(() => {
          waking = null
        })
    },
    /** Resolves when what is under way is done. */
    done: async (): Promise<void> => await (waking ?? Promise.resolve()),
  }
}
