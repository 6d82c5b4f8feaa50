import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import type { Case, Figure } from './case.js'
import { loadTool } from './load/load.js'
import type { Engine } from './options.js'

export interface Result {
  case: string
  engine: Engine | null
  title: string
  target: string
  figures: Figure[]
}

/** The machine on which the figures were measured. */
export function machine(fsyncMs: number) {
  return {
    measuredAt: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadTool,
    fsyncMs: rounded(fsyncMs),
    // The load of the machine: above the number of cores the rates mean little, but the processor times still hold.
    loadAverage: rounded(loadavg()[0]!),
  }
}

export function resultOf({ name, title, target }: Case, engine: Engine | null, figures: Figure[]): Result {
  return { case: name, engine, title, target, figures }
}

/** Prints the figures of one case. */
export function print({ case: name, engine, title, target, figures }: Result): void {
  console.log(`\n${name}${engine ? ` on ${engine}` : ''}: ${title} (target: ${target})`)
  for (const { what, unit, value, limit, ratio, also = {} } of figures) {
    const parts = [`${rounded(value)} ${unit}`]
    if (limit !== undefined) parts.push(`limit ${rounded(limit)}`)
    if (ratio !== undefined) parts.push(`ratio ${(ratio * 100).toFixed(0)} %`)
    for (const [label, number] of Object.entries(also)) parts.push(`${label} ${rounded(number)}`)
    console.log(`  ${what.padEnd(24)} ${parts.join('  ')}`)
  }
}

/** Prints the processor time on PostgreSQL, program and database together, divided by that on SQLite. */
export function printRatio(results: readonly Result[]): void {
  const of = (engine: Engine) => results.find(result => result.engine === engine)?.figures ?? []
  for (const [index, { what, also }] of of('postgres').entries()) {
    const ratio = (also?.['cpu µs'] ?? Number.NaN) / (of('sqlite')[index]?.also?.['cpu µs'] ?? Number.NaN)
    if (ratio > 0)
      console.log(`  ${what.padEnd(24)} processor time on postgres ${rounded(ratio)} times that on sqlite`)
  }
}

export type Machine = ReturnType<typeof machine>

/** Writes everything as JSON to bench/results and returns the path of the file. */
export function write(measuredOn: Machine, results: Result[]): string {
  const folder = join(packageRoot, 'bench/results')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${measuredOn.measuredAt.replaceAll(':', '-')}.json`)
  writeFileSync(path, `${JSON.stringify({ machine: measuredOn, results }, null, 2)}\n`)
  return path
}

function rounded(number: number): number {
  return Number(number.toPrecision(number >= 100 ? Math.ceil(Math.log10(number + 1)) : 3))
}
