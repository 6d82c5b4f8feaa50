/** A request as a person reads it: its address, and a line or a paragraph for each value of its body. */
export function readable({ address, body }: { address: string; body: unknown }): string {
  return [address, ...linesOf(parsed(body), '')].join('\n')
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return /^[\w.-]+=[^\n ]*$/.test(body) ? Object.fromEntries(new URLSearchParams(body)) : body
  }
}

function linesOf(value: unknown, indent: string): string[] {
  if (typeof value !== 'object' || value === null)
    return String(value)
      .split('\n')
      .map(line => indent + line)
  if (Array.isArray(value)) {
    return value.flatMap(item => {
      const [first = '', ...more] = linesOf(item, `${indent}  `)
      return [`${indent}- ${first.trimStart()}`, ...more]
    })
  }
  return Object.entries(value).flatMap(([name, item]) => {
    if (name === '') return ['', ...linesOf(item, indent)]
    const lines = linesOf(item, `${indent}  `)
    const isShort = (typeof item !== 'object' || item === null) && lines.length === 1
    return isShort ? [`${indent}${name}: ${lines[0]!.trimStart()}`] : [`${indent}${name}:`, ...lines]
  })
}
