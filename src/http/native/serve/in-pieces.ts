import type { OnPiece } from '../../../storage/json-bytes.js'

/**
 * What `run` passes on and returns, as one body: whole if all of it was returned, otherwise a stream that begins with the first
 * piece, so that it is sent while the rest is made. Rejects with the error of `run`; one that comes later goes to `onError`, and the body is
 * broken off.
 */
export function inPieces(
  run: (onPiece: OnPiece) => Promise<Uint8Array>,
  onError: (error: unknown) => void,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  return new Promise((resolve, reject) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | null = null
    let isWanted = true
    const add = (piece: Uint8Array) => {
      if (isWanted) stream?.enqueue(piece)
    }
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      stream = controller
    }
    const cancel = () => {
      isWanted = false
    }
    const onPiece = (piece: Uint8Array) => {
      if (!stream) resolve(new ReadableStream({ start, cancel }))
      add(piece)
    }
    run(onPiece).then(
      rest => {
        if (!stream) return resolve(rest)
        add(rest)
        if (isWanted) stream.close()
      },
      error => {
        if (!stream) return reject(error)
        onError(error)
        if (isWanted) stream.error(brokenOff())
      },
    )
  })
}

/** The server's adapter neither prints an error with this code nor sends its message. */
function brokenOff(): Error {
  return Object.assign(new Error('the body was broken off'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}
