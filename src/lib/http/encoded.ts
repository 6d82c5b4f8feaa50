/** Content that is sent many times, compressed once. */
export interface Encoded {
  plain: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
  brotli?: Uint8Array<ArrayBuffer>
}

/** The smallest body for a client that sends `Accept-Encoding: accepted`, and the name of its encoding. */
export function bestEncoding(
  content: Encoded,
  accepted: string,
): [encoding: 'br' | 'gzip' | null, body: Uint8Array<ArrayBuffer>] {
  // Some are compressed when they are read here.
  if ('brotli' in content && accepts(accepted, 'br')) return ['br', content.brotli!]
  if (accepts(accepted, 'gzip')) return ['gzip', content.gzip]
  return [null, content.plain]
}

/**
 * Whether the `Accept-Encoding` value `header` allows an encoding: it names it, or `*`, with a weight above 0.
 * Source: RFC 9110, section 12.5.3.
 */
export function accepts(header: string, encoding: 'br' | 'gzip'): boolean {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(part => part.trim())
    const weight = parameters.find(parameter => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
}
