import { parseArgs } from 'node:util'
import type { Cluster } from '../test/_support/servers/postgres-server.js'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export interface Options {
  /** Only the cases whose name contains one of these. */
  only: readonly string[]
  /** Of the case `largest`: only the acts whose name contains one of these. */
  acts: readonly string[]
  /** The number of times that each figure is measured; the median counts. */
  runs: number
  /** The duration of each load. */
  seconds: number
  /** A server that is already running, with a read-write API key of an empty project on it. */
  against: { url: string; key: string } | null
  /** Where databases are created; a folder on a real disk. */
  folder: string
  /** Whether the figures are written to docs/performance.md. */
  docs: boolean
  /** The engines of the databases. */
  engines: readonly Engine[]
  /** The PostgreSQL server for the databases; null for SQLite. */
  server: Cluster | null
}

export const USAGE = `npm run bench -- [options]

  --only WORDS     only the cases whose name contains one of the words, separated by commas
  --acts WORDS     of the case largest: only the acts whose name contains one of the words
  --runs N         how often each figure is measured; the median counts (3)
  --seconds N      how long each load lasts (5)
  --folder PATH    where databases are made, on a real disk (bench/.data)
  --engine NAME    sqlite or postgres (both)
  --against URL    measure the server at URL instead, the HTTP cases alone
  --key KEY        a read-write API key of an empty project on that server
  --docs           write the figures that both engines have into docs/performance.md`

/** Reads the command line. Throws an error whose message says what is wrong with it. */
export function readOptions(args: string[], folder: string): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      acts: { type: 'string', default: '' },
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      folder: { type: 'string', default: folder },
      against: { type: 'string' },
      key: { type: 'string' },
      engine: { type: 'string' },
      docs: { type: 'boolean', default: false },
    },
  })
  if ((values.against === undefined) !== (values.key === undefined)) {
    throw new Error('--against and --key belong together')
  }
  return {
    only: values.only.split(','),
    acts: values.acts.split(','),
    docs: values.docs,
    runs: positive('--runs', values.runs),
    seconds: positive('--seconds', values.seconds),
    folder: values.folder,
    engines: ENGINES.filter(engine => values.engine === undefined || values.engine === engine),
    server: null,
    against: values.against === undefined ? null : { url: new URL(values.against).origin, key: values.key! },
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`${name} must be a whole number from 1 up`)
  return number
}

/** How long before the first deadline a database is created, so that the program has started by then. */
export function headStartMs({ server }: Options, onSqliteMs: number): number {
  return server ? onSqliteMs * 3 : onSqliteMs
}
