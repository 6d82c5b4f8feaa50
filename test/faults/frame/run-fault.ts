import assert from 'node:assert/strict'
import { audit, type Counts } from './audit.js'
import { Bench, type Engine, type Fault } from './bench.js'
import type { Figures } from './trial.js'

/** A line of the table. */
export type Result = Counts & { fault: string; engine: Engine; figures: Figures; seconds: number }

/** Tries one fault on one engine, audits the result, and removes everything. Throws if something is wrong. */
export async function runFault(fault: Fault, engine: Engine, thorough: boolean): Promise<Result> {
  const from = performance.now()
  const bench = new Bench(engine, thorough)
  try {
    const trial = await fault.run(bench)
    await trial.proveAlive()
    await trial.settled()
    assert.equal(await trial.program.stop(), 0, 'the program ends with 0 after SIGTERM')
    const counts = await audit(trial, fault.mayRepeat?.(bench) ?? 0)
    const seconds = Math.round((performance.now() - from) / 1000)
    return { fault: fault.name, engine, ...counts, figures: trial.figures, seconds }
  } finally {
    await bench.close()
  }
}
