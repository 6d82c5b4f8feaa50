import type { FlashMessage } from '../page-context.js'

/** The result of the last action, which is also announced to screen readers. */
export function Flash({ message }: { message: FlashMessage | null }) {
  return (
    <div role="status">{message ? <p class={`flash flash-${message.kind}`}>{message.text}</p> : null}</div>
  )
}
