import type { Compilable, InferResult, Kysely } from 'kysely'
import type { Db } from './db.js'
import type { OnPackedRow, PackedAs } from './dialect.js'
import type { Tables } from './tables.js'

type Value = string | number | null | Uint8Array

/** The placeholder of a value while a query is built; `item`: the place of the item that it is of, null if of none. */
class Placeholder {
  constructor(
    readonly name: string,
    readonly item: number | null,
  ) {}
}

type Values = Readonly<Record<string, unknown>>

/** Values whose members are their placeholders. */
function placeholders<V>(item: number | null): V {
  return new Proxy({}, { get: (_, name) => new Placeholder(String(name), item) }) as V
}

/** A statement's text and its parameters in order, with placeholders for the values. */
interface Built {
  sql: string
  parameters: readonly unknown[]
}

/** The parameters with the placeholders replaced by values, in lists too; those of items by the items after `from`. */
function filled(
  parameters: readonly unknown[],
  values: Values,
  items: readonly Values[] = [],
  from = 0,
): unknown[] {
  return parameters.map(one => {
    if (Array.isArray(one)) return filled(one, values, items, from)
    if (!(one instanceof Placeholder)) return one
    return one.item === null ? values[one.name] : items[from + one.item]![one.name]
  })
}

/** What a text may depend on: the name of the engine, and whether it is distributed. */
type Engine = Pick<Db, 'sql' | 'dialect'>

function keyOf({ dialect }: Engine): string {
  return dialect.isDistributed ? 'distributed' : dialect.name
}

export interface PreparedOptions {
  /**
   * Whether PostgreSQL keeps the plan even on connections that write: for a statement with only one sensible plan,
   * whatever the size of the tables.
   */
  keepsPlan?: boolean
}

/** A query that is built once and run with different values, because building takes longer than running. */
export interface Prepared<V extends Record<string, Value>, Q extends Compilable<unknown>> {
  all(db: Db, values: V): Promise<InferResult<Q> extends (infer R)[] ? R[] : never>
  /** The rows as arrays, in the order of the selected columns: a third of the time for wide rows. */
  arrays(db: Db, values: V): Promise<unknown[][]>
  /** As `arrays`, row by row, for a list that may be long; see `Dialect.each`. */
  each(db: Db, values: V, expected: number, onRow: (row: unknown[]) => void): Promise<void>
  /** See `Dialect.eachPacked`. */
  eachPacked(db: Db, values: V, as: PackedAs, onRow: OnPackedRow): Promise<void>
}

/**
 * Prepares a query. `build` is called with placeholders instead of values, so it must only pass them
 * on. Lists cannot be passed.
 */
export function prepared<V extends Record<string, Value>, Q extends Compilable<unknown>>(
  build: (sql: Kysely<Tables>, value: V, engine: Engine) => Q,
  { keepsPlan = false }: PreparedOptions = {},
): Prepared<V, Q> {
  const builtFor = new Map<string, Built>()
  const names = placeholders<V>(null)
  const bind = (db: Db, values: V): Built => {
    const key = keyOf(db)
    let built = builtFor.get(key)
    if (!built) {
      built = build(db.sql, names, db).compile()
      builtFor.set(key, built)
    }
    const { sql, parameters } = built
    return { sql, parameters: filled(parameters, values) }
  }
  return {
    async all(db, values) {
      const { sql, parameters } = bind(db, values)
      return (await db.dialect.all(sql, parameters, keepsPlan)) as never
    },
    async arrays(db, values) {
      const { sql, parameters } = bind(db, values)
      return await db.dialect.arrays(sql, parameters)
    },
    async each(db, values, expected, onRow) {
      const { sql, parameters } = bind(db, values)
      await db.dialect.each(sql, parameters, expected, onRow)
    },
    async eachPacked(db, values, as, onRow) {
      const { sql, parameters } = bind(db, values)
      await db.dialect.eachPacked(sql, parameters, as, onRow)
    },
  }
}

/** Long lists are split into parts of these lengths, so that a query has few different texts. */
const LIST_LENGTHS = [256, 32]

/**
 * Prepares a query with a list of values. It runs once for each part of the list and returns the rows of all parts;
 * with an empty list it does not run.
 */
export function preparedList<
  V extends Record<string, Value>,
  I extends Record<string, Value>,
  Q extends Compilable<unknown>,
>(build: (sql: Kysely<Tables>, value: V, items: I[], engine: Engine) => Q) {
  const builtFor = new Map<string, Built>()
  const builtOf = (db: Db, length: number): Built => {
    const key = `${keyOf(db)} ${length}`
    let built = builtFor.get(key)
    if (!built) {
      const items = Array.from({ length }, (_, index) => placeholders<I>(index))
      built = build(db.sql, placeholders<V>(null), items, db).compile()
      builtFor.set(key, built)
    }
    return built
  }
  const run = async <R>(
    values: V,
    items: readonly I[],
    db: Db,
    read: (sql: string, parameters: readonly unknown[]) => Promise<R[]>,
  ): Promise<R[]> => {
    const rows: R[] = []
    for (let from = 0; from < items.length; ) {
      const left = items.length - from
      const length = LIST_LENGTHS.find(some => some <= left) ?? left
      const { sql, parameters } = builtOf(db, length)
      for (const row of await read(sql, filled(parameters, values, items, from))) rows.push(row)
      from += length
    }
    return rows
  }
  const all = async (
    db: Db,
    values: V,
    items: readonly I[],
  ): Promise<InferResult<Q> extends (infer R)[] ? R[] : never> =>
    (await run(values, items, db, (sql, parameters) => db.dialect.all(sql, parameters))) as never
  /** The rows as arrays, in the order of the selected columns. */
  const arrays = async (db: Db, values: V, items: readonly I[]): Promise<unknown[][]> =>
    await run(values, items, db, (sql, parameters) => db.dialect.arrays(sql, parameters))
  return Object.assign(all, { arrays })
}
