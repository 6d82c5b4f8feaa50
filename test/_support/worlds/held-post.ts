/** A request whose body stops before its last byte, so that what authorises it can end in the meantime. */
import { once } from 'node:events'
import { request } from 'node:http'

export interface HeldPost {
  /** Sends the rest. Returns the status of the response, its redirect, and its text. */
  finish(): Promise<{ status: number; location: string | undefined; text: string }>
}

/** Sends a POST without the last byte of its body, and returns once the server has asked for the body. */
export async function holdPost(
  root: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<HeldPost> {
  const length = Buffer.byteLength(body)
  const sent = request(root + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(length), Expect: '100-continue', Connection: 'close' },
  })
  const answered = once(sent, 'response')
  sent.flushHeaders()
  await once(sent, 'continue')
  sent.write(body.slice(0, -1))
  return {
    async finish() {
      sent.end(body.slice(-1))
      const [response] = await answered
      let text = ''
      for await (const piece of response) text += piece
      return { status: response.statusCode, location: response.headers.location, text }
    },
  }
}
