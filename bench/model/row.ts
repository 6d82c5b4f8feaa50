/** What a ping costs in one arrangement. */
export interface ModelRow {
  engine: string
  /** Pings in one commit. */
  batch: number
  perSecond: number
  syncsPerPing: number
  /** Bytes written to the write-ahead log (PostgreSQL), or to the disk in all (SQLite). */
  walBytesPerPing: number
  /** The growth of the table of pings, including its indexes. */
  logBytesPerPing: number
  /** The share of updates of checks that touched no index; null if the engine makes no such difference. */
  hotShare: number | null
  /** Processor time of the feeding process. */
  clientUsPerPing: number
  /** Processor time of the database's own processes; null if it has none. */
  serverUsPerPing: number | null
}

const COLUMNS: readonly [string, (row: ModelRow) => string][] = [
  ['engine', row => row.engine],
  ['batch', row => String(row.batch)],
  ['pings/s', row => row.perSecond.toFixed(0)],
  ['syncs/ping', row => row.syncsPerPing.toFixed(4)],
  ['written B/ping', row => row.walBytesPerPing.toFixed(0)],
  ['log B/ping', row => row.logBytesPerPing.toFixed(0)],
  ['HOT', row => (row.hotShare === null ? '' : `${(row.hotShare * 100).toFixed(0)} %`)],
  ['process µs/ping', row => row.clientUsPerPing.toFixed(1)],
  ['database µs/ping', row => (row.serverUsPerPing === null ? '' : row.serverUsPerPing.toFixed(1))],
]

/** The head of a table in Markdown, and a line of it. */
export const HEAD = `| ${COLUMNS.map(([name]) => name).join(' | ')} |\n|${' --- |'.repeat(COLUMNS.length)}`

export function lineOf(row: ModelRow): string {
  return `| ${COLUMNS.map(([, cell]) => cell(row)).join(' | ')} |`
}
