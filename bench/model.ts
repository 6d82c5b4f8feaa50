/**
 * What a ping costs in rows, bytes, syncs and processor time, on both engines, for several batch sizes, and on
 * PostgreSQL for several processes: `npm run bench:model`, with the seconds for each line after `--` (3). See
 * docs/scaling.md.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/lib/package-root.js'
import { measureFsync, refuseMemory } from './disk.js'
import { measurePostgres } from './model/postgres.js'
import { HEAD, lineOf } from './model/row.js'
import { measureSqlite } from './model/sqlite.js'
import { machine } from './report.js'

const folder = join(packageRoot, 'bench/.data')
const options = {
  checks: 20_000,
  seconds: Number(process.argv[2] ?? 3),
  folder,
  batches: [1, 8, 64, 512],
  processes: [2, 4],
}
mkdirSync(folder, { recursive: true })
refuseMemory(folder)
console.log(
  Object.entries(machine(measureFsync(folder)))
    .map(pair => pair.join(' '))
    .join(', '),
)
console.log(`\n${HEAD}`)
const rearmed: string[] = []
await measureSqlite(
  options,
  row => console.log(lineOf(row)),
  text => rearmed.push(text),
)
await measurePostgres(
  options,
  row => console.log(lineOf(row)),
  text => rearmed.push(text),
)
console.log(`\n${rearmed.join('\n')}`)
