import assert from 'node:assert/strict'

/** What is taken at once: messages, each with its number, and deliveries that wait for the quota. */
interface Taken {
  messages: readonly { number: number; deliveries: readonly string[] }[]
  held: readonly string[]
  /** Deliveries that something else holds, or a disabled channel keeps: they lose their number. */
  stopped: readonly string[]
  /** Whether one message would do for all. */
  grouped: boolean
}

/** A monthly quota: each number pays for one message that arrives, and nothing waits that is paid for. */
export class Charges {
  left = Number.POSITIVE_INFINITY
  /** How many were given back at this instant, perhaps by a process that claimed after another one had held what is looked at again later. */
  #back = 0
  #now = 0
  /** The deliveries of the last message with each number; null: it has arrived. */
  readonly #paid = new Map<number, Set<string> | null>()

  /** What is not among the `counted`, and has not arrived, was given back; nothing may be `tried` with such a number. */
  giveBack(
    { counted, tried }: { counted: ReadonlySet<number>; tried: ReadonlySet<number> },
    now: number,
  ): void {
    if (now !== this.#now) this.#back = 0
    this.#now = now
    const lost = [...tried].filter(number => number !== 0 && !counted.has(number))
    assert.deepEqual(lost, [], 'nothing is tried that was given back')
    for (const [number, parts] of this.#paid) {
      if (parts === null || counted.has(number)) continue
      this.#paid.delete(number)
      this.left++
      this.#back++
    }
  }

  take({ messages, held, stopped, grouped }: Taken): void {
    for (const parts of this.#paid.values()) for (const uuid of stopped) parts?.delete(uuid)
    const paid = new Set([...this.#paid.values()].flatMap(parts => [...(parts ?? [])]))
    const waiting = held.filter(uuid => paid.has(uuid))
    assert.deepEqual(waiting, [], 'nothing waits for the quota that is counted and has not arrived')
    for (const { number, deliveries } of messages) {
      const before = this.#paid.get(number)
      assert.notEqual(before, null, 'no more messages arrive than are counted')
      if (before === undefined) this.left--
      for (const parts of this.#paid.values()) for (const uuid of deliveries) parts?.delete(uuid)
      this.#paid.set(number, new Set(deliveries))
    }
    assert.ok(this.left >= 0, 'nothing is sent that exceeds the quota')
    if (grouped && held.length > 0) {
      assert.ok(this.left <= this.#back, 'nothing waits for the quota while messages are left')
    }
  }

  arrived(number: number): void {
    assert.ok(this.#paid.get(number), 'no more messages arrive than are counted')
    this.#paid.set(number, null)
  }
}
