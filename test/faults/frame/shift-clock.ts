/**
 * Loaded before the program (`node --import`), in each of its threads: makes its clock differ from the machine's by
 * the number of milliseconds in the file that PUNCTUAL_CLOCK_OFFSET names, also when the file changes while the
 * program runs. As when a machine's clock is set, only the time of day jumps: timers and `performance.now()` continue
 * as before.
 */
import { readFileSync } from 'node:fs'

const file = process.env.PUNCTUAL_CLOCK_OFFSET
const LOOK_EVERY_MS = 20

if (file) {
  const machine = Date.now.bind(Date)
  let offset = 0
  const look = () => {
    offset = Number(readFileSync(file, 'utf8'))
  }
  look()
  setInterval(look, LOOK_EVERY_MS).unref()
  Date.now = () => machine() + offset
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [machine() + offset] : args, newTarget),
    apply: target => new target(machine() + offset).toString(),
  })
}
