import type { PageContext } from '../page-context.js'
import { PostForm } from './forms/post-form.js'

/** The result of the last action, which is also announced to screen readers, with a button that undoes it. */
export function Flash({ page }: { page: PageContext }) {
  const message = page.flash
  return (
    <div role="status" id="flash">
      {message ? (
        <div class={`flash flash-${message.kind}`}>
          <p>{message.text}</p>
          {message.undo ? (
            <PostForm page={page} action={message.undo.path}>
              <button
                type="submit"
                class="button button-plain button-small"
                data-stay
                data-for={message.undo.forMs}
                data-key="z"
              >
                Undo
              </button>
            </PostForm>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}
