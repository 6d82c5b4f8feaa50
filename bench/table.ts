/** The figures of both engines as a section of docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import type { Figure } from './case.js'
import type { Machine, Result } from './report.js'

const HEADING = '## Every case on both engines\n'
/** The heading that follows the section. */
const NEXT = '## PostgreSQL beside SQLite\n'

/** Writes the section with the figures of these cases in place of the previous one. */
export function writeSection(measuredOn: Machine, results: readonly Result[]): void {
  const path = join(packageRoot, 'docs/performance.md')
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), sectionOf(measuredOn, results)))
}

/** `page` with the section inserted. */
export function withSection(page: string, section: string): string {
  const parts = page.split(/^(?=## )/m).filter(part => !part.startsWith(HEADING))
  const place = parts.findIndex(part => part.startsWith(NEXT))
  if (place === -1) throw new Error(`the page has no heading ${NEXT}`)
  return parts.toSpliced(place, 0, section).join('')
}

/** The section: a line for each figure that both engines have. */
export function sectionOf({ measuredAt, node, loadAverage }: Machine, results: readonly Result[]): string {
  const lines = results.flatMap(({ case: name, engine, figures }) => {
    if (engine !== 'sqlite') return []
    const other = results.find(one => one.case === name && one.engine === 'postgres')?.figures ?? []
    return figures.flatMap((figure, place) => (other[place] ? [lineOf(name, figure, other[place])] : []))
  })
  return `${HEADING}
Written by \`npm run bench -- --docs\` on ${measuredAt.slice(0, 10)}, Node.js ${node}, load average ${loadAverage} at the
beginning. Processor time is that of one answer, program and database together.

| case | SQLite | PostgreSQL | processor time on SQLite | on PostgreSQL | by SQLite |
|---|---|---|---|---|---|
${lines.join('\n')}

`
}

function lineOf(name: string, sqlite: Figure, postgres: Figure): string {
  const [one, other] = [processorTimeOf(sqlite), processorTimeOf(postgres)]
  const times =
    one && other
      ? [`${shown(one)} µs`, `${shown(other)} µs`, `${(other / one).toFixed(1)} times`]
      : ['–', '–', '–']
  return `| ${[`${name}: ${sqlite.what}`, figureOf(sqlite), figureOf(postgres), ...times].join(' | ')} |`
}

function processorTimeOf({ also }: Figure): number | undefined {
  return also?.['cpu µs']
}

function figureOf({ value, unit, also }: Figure): string {
  const p99 = also?.['p99 ms']
  return `${shown(value)} ${unit}${p99 === undefined ? '' : `, p99 ${shown(p99)} ms`}`
}

/** Three significant digits, with thousands separators. */
function shown(number: number): string {
  return Number(number.toPrecision(3)).toLocaleString('en')
}
