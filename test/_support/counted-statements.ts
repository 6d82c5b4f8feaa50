import type { SqliteDatabase } from '../../src/storage/sqlite/engines/engine.js'

/** The texts of the statements that are run on a database from now on. */
export function countedStatements(database: SqliteDatabase): readonly string[] {
  const run: string[] = []
  const prepare = database.prepare.bind(database)
  database.prepare = text => {
    const statement = prepare(text)
    // `all` calls it, too.
    const arrays = statement.arrays.bind(statement)
    statement.arrays = (...values) => {
      run.push(text)
      return arrays(...values)
    }
    return statement
  }
  return run
}
