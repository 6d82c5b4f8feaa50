/** Bodies longer than this lie in object storage, where there is one; in bytes. */
export const LARGE_BODY_BYTES = 100

/**
 * The name of a ping's body in object storage: `<check uuid>/<prefix>-<n>`. The prefix makes names with a larger `n`
 * sort first, so that the bodies of all pings up to some `n` are one listing.
 * Source: docs/behaviour.md, section 10.3.
 */
export function bodyKey(checkUuid: string, n: number): string {
  const digits = String(n)
  const length = String.fromCharCode('z'.charCodeAt(0) - digits.length + 1)
  const mirrored = [...digits].map(digit => String.fromCharCode('j'.charCodeAt(0) - Number(digit)))
  return `${checkUuid}/${length}${mirrored.join('')}-${n}`
}
