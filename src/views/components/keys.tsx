import type { PageContext } from '../page-context.js'
import { ALL_PROJECTS_PAGES, OTHER_PAGES, PROJECT_PAGES, PROJECTS_PAGE } from '../site-pages.js'
import { Tick } from './forms/field.js'

/** A key, or several separated by spaces, with what they do. */
export type Key = readonly [key: string, words: string]

const EVERYWHERE: readonly Key[] = [
  ['Ctrl K', 'search everything (⌘ K on a Mac)'],
  ['/', 'search'],
  ['z', 'undo, while that is offered'],
  ['?', 'show this help'],
  ['Esc', 'close'],
]

/** The keys of the page of a check. */
export const CHECK_KEYS: readonly Key[] = [
  ['e', 'edit the check'],
  ['p', 'pause or resume it'],
  ['s', 'snooze it: s, 1 and Enter for 1 hour'],
]

/** The keys of the list of checks. */
export const LIST_KEYS: readonly Key[] = [
  ['j', 'next check'],
  ['k', 'previous check'],
  ['Enter', 'open the check'],
  ['x', 'select it'],
  ['b', 'edit the selected checks'],
  ...CHECK_KEYS,
  ['n', 'new check'],
]

/** The keys of the timeline. */
export const TIMELINE_KEYS: readonly Key[] = [
  ['j', 'next check'],
  ['k', 'previous check'],
  ['Enter', 'show its runs'],
]

/** The keyboard shortcuts of a page, which can be turned off; a script opens it. */
export function Keys({ page, keys }: { page: PageContext; keys: readonly Key[] }) {
  return (
    <dialog id="keys" aria-label="Keyboard shortcuts">
      <h2 tabindex={-1}>Keyboard shortcuts</h2>
      <div class="key-lists">
        <KeyList keys={[...keys, ...EVERYWHERE]} />
        <KeyList keys={pageKeys(page)} />
      </div>
      <Tick
        label="Use these shortcuts in this browser"
        name="keys"
        checked
        help="Ctrl K and Esc always work."
      />
      <form method="dialog">
        <button type="submit" class="button button-plain button-small">
          Close
        </button>
      </form>
    </dialog>
  )
}

/** The keys that go to the pages of the navigation, from a page of a project or from another. */
function pageKeys({ project }: PageContext): Key[] {
  const pages = [...(project ? [...PROJECT_PAGES, PROJECTS_PAGE] : ALL_PROJECTS_PAGES), ...OTHER_PAGES]
  return pages.flatMap(({ key, label }) => (key ? [[`g ${key}`, label] as const] : []))
}

function KeyList({ keys }: { keys: readonly Key[] }) {
  return (
    <dl class="facts">
      {keys.map(([key, words]) => (
        <>
          <dt>
            {key.split(' ').map(part => (
              <>
                <kbd>{part}</kbd>{' '}
              </>
            ))}
          </dt>
          <dd>{words}</dd>
        </>
      ))}
    </dl>
  )
}
