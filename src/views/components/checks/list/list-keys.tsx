const KEYS: readonly [string, string][] = [
  ['j', 'next check'],
  ['k', 'previous check'],
  ['Enter', 'open the check'],
  ['e', 'edit it'],
  ['p', 'pause or resume it'],
  ['x', 'choose it'],
  ['z', 'undo, while that is offered'],
  ['n', 'new check'],
  ['/', 'search'],
  ['?', 'this list'],
]

/** The keyboard shortcuts of the list of checks; a script opens it. */
export function ListKeys() {
  return (
    <dialog id="keys" aria-label="Keyboard shortcuts">
      <h2>Keys</h2>
      <dl class="facts">
        {KEYS.map(([key, words]) => (
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
