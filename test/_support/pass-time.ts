import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

/** Time passes by `t.mock.timers.tick` alone. */
export function passTime(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let passedMs = 0
  const { tick } = t.mock.timers
  t.mock.timers.tick = ms => {
    passedMs += ms!
    tick.call(t.mock.timers, ms)
  }
  t.mock.method(performance, 'now', () => passedMs)
}

/** Resolves when it is true, after as many turns of the event loop as that takes. */
export async function turnsUntil(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; !isTrue(); turn++) {
    if (turn > 100_000) throw new Error('it has not become true')
    await setImmediate()
  }
}
