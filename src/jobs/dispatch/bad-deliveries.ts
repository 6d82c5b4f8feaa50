import {
  type TakeDeps,
  type TakeOptions,
  takeLarge,
  type Wanted,
} from '../../actions/alerts/take-messages.js'
import { TRIED } from '../../storage/errors.js'
import { divide, type Failed, SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'

/** If more fail in one channel at a time, the fault is hardly in rows of theirs. */
const MOST = 8

export interface BadDeliveriesDeps extends TakeDeps {
  store: TakeDeps['store'] & StoreWith<'alerts.waitingIds'>
  onSetAside(failed: Failed): void
}

/** The deliveries that keep all others of their channel from being claimed, for a row that cannot be written. Decision 0156. */
export class BadDeliveries {
  /** Of those about a check the first. */
  readonly aside: SetAside

  constructor(private readonly deps: BadDeliveriesDeps) {
    this.aside = new SetAside('delivery', deps.onSetAside)
  }

  /** Sets aside what fails alone in a channel from which a claim failed with `error`. Rejects if it is not a few deliveries. */
  async find(wanted: Wanted, options: TakeOptions, error: unknown): Promise<void> {
    const { store, clock } = this.deps
    const { leftOut, endedBefore } = options
    const waiting = await store.alerts.waitingIds(wanted.channel.id, { now: clock.now(), endedBefore })
    const ids = waiting.filter(about => !about.some(id => leftOut.includes(id))).map(([first]) => first!)
    const bad = new Map<number, unknown>()
    const work = async (some: readonly number[]) => {
      const others = ids.filter(id => !some.includes(id))
      const only = { ...options, leftOut: [...leftOut, ...others], isTrial: true }
      await takeLarge(this.deps, wanted, only, () => false).catch(reason => {
        if (reason.code !== TRIED) throw reason
      })
    }
    const onAlone = (id: number, reason: unknown) => {
      if (bad.size === MOST) throw error
      bad.set(id, reason)
    }
    if (ids.length > 0) await divide(ids, error, work, onAlone)
    if (bad.size === 0) throw error
    for (const [id, reason] of bad) this.aside.fail(id, reason)
  }
}
