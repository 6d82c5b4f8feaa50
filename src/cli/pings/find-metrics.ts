const MOST = 20
const NAME_AND_NUMBER =
  /^[^A-Za-z_]*([A-Za-z_][A-Za-z0-9_.]*).*[^0-9.eE+-]([+-]?[0-9][0-9.]*(?:[eE][+-]?[0-9]+)?)[^0-9]*$/

/** The names and numbers in what matches, as parameters of a ping: `&metric=rows:1423`. */
export function findMetrics(output: Uint8Array, pattern: RegExp): string {
  const found = [...Buffer.from(output).toString('latin1').matchAll(pattern)].flatMap(([match]) => {
    const [, name, number] = NAME_AND_NUMBER.exec(match) ?? []
    return name && number ? [`${name}:${number.replaceAll('+', '')}`.toLowerCase()] : []
  })
  return found
    .slice(-MOST)
    .map(metric => `&metric=${metric}`)
    .join('')
}
