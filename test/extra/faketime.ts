/** The program under libfaketime, so that every call to the system for the time of day gives a clock that is set. */
import { existsSync } from 'node:fs'
import { stepAheadAndBack } from '../faults/clock-stepped.js'
import type { Fault } from '../faults/frame/bench.js'
import type { Clock } from '../faults/frame/program.js'
import { type Result, runFault } from '../faults/frame/run-fault.js'
import { tableOf } from '../faults/frame/table.js'

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  machine => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
)

/** What is absent, or null. */
export function missingForFaketime(): string | null {
  return LIBRARIES.some(existsSync) ? null : 'libfaketime (Debian package faketime)'
}

/** Only the time of day jumps, as when a machine's clock is set. */
const FAKETIME: Clock = {
  env: file => ({
    LD_PRELOAD: LIBRARIES.find(existsSync)!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }),
  contents: offsetMs => `${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs) / 1000}`,
}

const fault: Fault = {
  name: 'libfaketime’s clock an hour ahead, and back',
  engines: ['sqlite', 'postgres'],
  run: async bench => await stepAheadAndBack(await bench.open({ clock: FAKETIME })),
}

/** Steps the clock on both engines and prints the table. Throws what is wrong. */
export async function underFaketime(): Promise<boolean> {
  const results: Result[] = []
  for (const engine of fault.engines) results.push(await runFault(fault, engine, false))
  console.log(tableOf(results))
  return true
}
