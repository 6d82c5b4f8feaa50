import { objectMaker } from '../../object-maker.js'

/**
 * Makes the objects of a statement's rows from their columns. The libraries make dictionaries, which take many times as long to make and
 * to read. `names` returns the names of the columns.
 */
export class RowObjects {
  readonly #names: () => string[]
  #make: ((columns: unknown[]) => object) | null = null
  /** The number of columns that `#make` expects: a migration by another process may add one. */
  #width = 0

  constructor(names: () => string[]) {
    this.#names = names
  }

  of(rows: readonly unknown[][]): object[] {
    return rows.length === 0 ? [] : rows.map(this.#makerOf(rows[0]!.length))
  }

  #makerOf(width: number): (columns: unknown[]) => object {
    if (this.#make && this.#width === width) return this.#make
    this.#width = width
    this.#make = objectMaker(this.#names().map((name, place) => ({ name, from: place })))
    return this.#make
  }
}
