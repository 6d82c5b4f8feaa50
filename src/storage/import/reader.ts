import type { ColumnType } from '../../core/import/source-schema.js'

/** What differs between the engines of a source. */
export interface Reader {
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** The expression that selects a column. */
  select(column: string, type: ColumnType): string
  /** What `select` returned, as the rest of the program sees it. */
  value(given: unknown, type: ColumnType): unknown
  close(): Promise<void>
}
