/** Prints a line on standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints a warning on standard error. */
export function warn(line: string): void {
  process.stderr.write(`punctual: ${line}\n`)
}

/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

/** Prints an aligned table, or `whenEmpty` if there are no rows. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
) {
  if (rows.length === 0) return print(whenEmpty)
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map(row => [...row[column]!].length)))
  for (const row of all) {
    const cells = row.map((cell, column) => cell + ' '.repeat(widths[column]! - [...cell].length))
    print(cells.join('  ').trimEnd())
  }
}

/** An instant (ms) in ISO 8601, to the second. */
export function isoSeconds(instantMs: number): string {
  return new Date(instantMs).toISOString().replace(/\.\d+Z$/, 'Z')
}
