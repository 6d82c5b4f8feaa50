import type { IncomingMessage } from 'node:http'

/** The maximum body of any request, in bytes. Source: docs/behaviour.md, section 11. */
export const LARGEST_BODY = 2_621_440

/**
 * The maximum body that is read before its unknown sender waits for a turn, in bytes: a key may be in it. Decision 0144.
 */
export const READ_AT_ONCE = 16_384

/** Whether the client left before it had sent its whole body. What fails then is nobody's fault and nobody reads the answer. */
export function isBrokenOff({ destroyed, complete }: IncomingMessage): boolean {
  return destroyed && !complete
}

/** Whether the request announces a body of at most `most` bytes, or none. */
export function announcesAtMost({ headers }: IncomingMessage, most: number): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= most
}

/**
 * The first `keep` bytes of a request's body (all if null). Returns null if it is empty, and `too-large` if it has more
 * than `limit` bytes. Rejects if the client disconnects before the end.
 */
export function readBody(
  request: IncomingMessage,
  keep: number | null,
  limit: number,
): Promise<Uint8Array | null | 'too-large'> | null | 'too-large' {
  const { headers } = request
  const length = headers['content-length']
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return null
  if (length !== undefined && Number(length) > limit) return 'too-large'
  // It emits nothing more.
  if (isBrokenOff(request)) return Promise.reject(new Error('the client went away'))
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let kept = 0
    let total = 0
    request.on('data', (piece: Buffer) => {
      total += piece.length
      if (total > limit) {
        request.removeAllListeners('data')
        resolve('too-large')
        return
      }
      if (keep !== null && kept >= keep) return
      const part = keep === null ? piece : piece.subarray(0, keep - kept)
      pieces.push(part)
      kept += part.length
    })
    request.on('end', () => resolve(kept === 0 ? null : new Uint8Array(Buffer.concat(pieces))))
    request.on('error', reject)
    request.on('close', () => {
      if (isBrokenOff(request)) reject(new Error('the client went away'))
    })
  })
}
