/** Sends pings for `punctual exec`, with nothing but node:http, because it starts fastest. */
import type { ClientRequest, IncomingMessage } from 'node:http'

export interface PingSending {
  timeoutSeconds: number
  retries: number
  /** Called with what a person should know. */
  say(message: string): void
}

export interface SentPing {
  /** Whether the ping needs not be sent again: it was taken, or never will be. */
  isSettled: boolean
  /** The number of bytes of a body that the server keeps; null if it did not say. */
  bodyLimit: number | null
}

const TEMPORARY = [408, 425, 429]

/** Sends a ping, and again after a second if that fails. Never throws. */
export async function sendPing(
  url: string,
  body: Uint8Array | null,
  sending: PingSending,
): Promise<SentPing> {
  for (let left = sending.retries; ; left--) {
    const answer = await requestOnce(url, body, sending.timeoutSeconds * 1000)
    const status = answer?.status ?? 0
    const limit = Number(answer?.limit)
    const bodyLimit = answer?.limit && Number.isInteger(limit) ? limit : null
    if (status >= 200 && status < 300) return { isSettled: true, bodyLimit }
    if (status >= 100 && status < 500 && !TEMPORARY.includes(status)) {
      sending.say(`Punctual refused a ping with status ${status}`)
      return { isSettled: true, bodyLimit }
    }
    if (left <= 0) return { isSettled: false, bodyLimit }
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}

interface Answer {
  status: number
  limit: string | undefined
}

/** One request; null if there was no answer within `ms`. */
async function requestOnce(url: string, body: Uint8Array | null, ms: number): Promise<Answer | null> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  return await new Promise(resolve => {
    let sent: ClientRequest
    const timer = setTimeout(() => end(null), ms)
    const end = (answer: Answer | null) => {
      clearTimeout(timer)
      resolve(answer)
      sent?.destroy()
    }
    try {
      const headers = { 'User-Agent': 'punctual-exec', ...(body && { 'Content-Length': body.length }) }
      sent = request(url, { method: body ? 'POST' : 'GET', headers, agent: false })
    } catch {
      return end({ status: 400, limit: undefined })
    }
    sent.on('error', () => end(null))
    sent.on('response', (response: IncomingMessage) => {
      const limit = response.headers['ping-body-limit']
      end({ status: response.statusCode ?? 0, limit: Array.isArray(limit) ? limit[0] : limit })
    })
    sent.end(body ?? undefined)
  })
}
