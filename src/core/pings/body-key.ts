/** Bodies longer than this (in bytes) are kept in object storage, if there is one. */
export const LARGE_BODY_BYTES = 100

/**
 * The name of a ping's body in object storage: `<check uuid>/<prefix>-<n>`. The prefix sorts names with a larger `n`
 * first, so that one listing returns the bodies of all pings up to some `n`. Source: docs/behaviour.md, section 10.3.
 */
export function bodyKey(checkUuid: string, n: number): string {
  const digits = String(n)
  const length = String.fromCharCode('z'.charCodeAt(0) - digits.length + 1)
  const mirrored = [...digits].map(digit => String.fromCharCode('j'.charCodeAt(0) - Number(digit)))
  return `${checkUuid}/${length}${mirrored.join('')}-${n}`
}
