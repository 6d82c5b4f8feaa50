import type { FlashMessage } from '../page-context.js'

/** What the last action did, announced to screen readers as well. */
export function Flash({ message }: { message: FlashMessage | null }) {
  return (
    <div role="status">{message ? <p class={`flash flash-${message.kind}`}>{message.text}</p> : null}</div>
  )
}
