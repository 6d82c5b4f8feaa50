import { link, type PageContext } from '../../page-context.js'
import { PostForm } from '../forms/post-form.js'

/** The search of the whole site as a dialog, which a script opens and fills. */
export function Palette({ page }: { page: PageContext }) {
  return (
    <dialog id="palette" class="palette" aria-label="Search" data-options={link(page, '/search/options/')}>
      <input
        type="text"
        role="combobox"
        aria-label="Search everything"
        aria-controls="palette-list"
        aria-expanded="false"
        aria-autocomplete="list"
        placeholder="Search checks, actions and pages"
        autocomplete="off"
        spellcheck={false}
        maxlength={100}
      />
      <PostForm page={page} action="/search/">
        <div id="palette-list" role="listbox" aria-label="Results" />
      </PostForm>
      <p class="palette-empty" hidden>
        Nothing found.
      </p>
      <p role="status" class="sr-only" />
      <p class="palette-help">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> select
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Tab</kbd> actions
        </span>
        <span>
          <kbd>&gt;</kbd> actions only
        </span>
        <span>
          <kbd>#</kbd> tag
        </span>
        <span>
          <kbd>@</kbd> project
        </span>
        <span>
          <kbd>?</kbd> docs
        </span>
      </p>
    </dialog>
  )
}
