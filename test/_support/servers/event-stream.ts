import assert from 'node:assert/strict'

/** An event as the stream and webhooks send it. */
export interface SentEvent {
  id: string
  type: string
  object: { kind: string; id: string; name: string }
  actor: { kind: string } | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Opens a stream of events; `next` waits for the next one and rejects when the stream ends. */
export async function listenEvents(
  root: string,
  key: string,
  { after, query = '' }: { after?: string | number; query?: string } = {},
) {
  const abort = new AbortController()
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(after !== undefined && { 'Last-Event-ID': `${after}` }),
  }
  const response = await fetch(`${root}/api/punctual/v1/events${query}`, { headers, signal: abort.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<SentEvent> => {
    for (;;) {
      const found = /id: (\d+)\nevent: (\S+)\ndata: (.*)\n\n/.exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        const event: SentEvent = JSON.parse(found[3]!)
        assert.deepEqual([event.id, event.type], [found[1], found[2]])
        return event
      }
      const { value, done } = await reader.read()
      assert.equal(done, false, 'the stream ended')
      text += value
    }
  }
  return { response, next, close: () => abort.abort() }
}
