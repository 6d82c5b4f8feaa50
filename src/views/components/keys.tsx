/** A key with what it does. */
export type Key = readonly [key: string, words: string]

const EVERYWHERE: readonly Key[] = [
  ['Ctrl K', 'search everything (⌘ K on a Mac)'],
  ['/', 'search'],
  ['?', 'show this help'],
  ['Esc', 'close'],
]

/** The keys of the page of a check. */
export const CHECK_KEYS: readonly Key[] = [
  ['e', 'edit the check'],
  ['p', 'pause or resume it'],
  ['s', 'snooze it: s, 1 and Enter for 1 hour'],
  ['z', 'undo, while that is offered'],
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

/** The keyboard shortcuts of a page; a script opens it. */
export function Keys({ keys }: { keys: readonly Key[] }) {
  return (
    <dialog id="keys" aria-label="Keyboard shortcuts">
      <h2>Keyboard shortcuts</h2>
      <dl class="facts">
        {[...keys, ...EVERYWHERE].map(([key, words]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button button-plain button-small">
          Close
        </button>
      </form>
    </dialog>
  )
}
