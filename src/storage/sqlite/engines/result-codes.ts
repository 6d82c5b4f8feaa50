/** By number, from https://sqlite.org/rescode.html. */
const PRIMARY: readonly (string | undefined)[] = [
  'OK',
  'ERROR',
  'INTERNAL',
  'PERM',
  'ABORT',
  'BUSY',
  'LOCKED',
  'NOMEM',
  'READONLY',
  'INTERRUPT',
  'IOERR',
  'CORRUPT',
  'NOTFOUND',
  'FULL',
  'CANTOPEN',
  'PROTOCOL',
  'EMPTY',
  'SCHEMA',
  'TOOBIG',
  'CONSTRAINT',
  'MISMATCH',
  'MISUSE',
  'NOLFS',
  'AUTH',
  'FORMAT',
  'RANGE',
  'NOTADB',
]

/** The name of the primary result code in an extended one, which is its lowest byte. */
export function resultCodeName(extended: number): string {
  return `SQLITE_${PRIMARY[extended & 0xff] ?? extended}`
}
