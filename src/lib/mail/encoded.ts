/** Bytes that are sent again and again, compressed once. */
export interface Encoded {
  plain: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
  brotli?: Uint8Array<ArrayBuffer>
}

/** The smallest form of what is sent to a client that takes the encodings `accepted`, and the name of its encoding. */
export function bestOf(
  { plain, gzip, brotli }: Encoded,
  accepted: string,
): [encoding: 'br' | 'gzip' | null, body: Uint8Array<ArrayBuffer>] {
  if (brotli && /\bbr\b/.test(accepted)) return ['br', brotli]
  if (/\bgzip\b/.test(accepted)) return ['gzip', gzip]
  return [null, plain]
}
