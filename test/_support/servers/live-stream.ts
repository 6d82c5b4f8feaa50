import assert from 'node:assert/strict'
import type { Visitor } from '../browser/visitor.js'

/** An event of a live page; see src/http/web/live/live.ts. */
export interface Change {
  version: string
  elements: Record<string, string>
  problems?: number
  order?: string[]
  anew?: boolean
  down?: Record<string, number>
}

export type LiveStream = Awaited<ReturnType<typeof listenLive>>

/** Opens a stream of changes; `event` waits for the next one and rejects when the stream ends. */
export async function listenLive(root: string, person: Visitor, path: string) {
  const abort = new AbortController()
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(root + path, { headers: { Cookie: cookie }, signal: abort.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const event = async (): Promise<Change> => {
    for (;;) {
      const found = /event: change\ndata: (.*)\n\n/.exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        return JSON.parse(found[1]!)
      }
      const { value, done } = await reader.read()
      assert.equal(done, false, 'the stream ended')
      text += value
    }
  }
  return { response, event, close: () => abort.abort() }
}
