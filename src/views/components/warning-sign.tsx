/** A triangle with an exclamation mark, next to the text of the warning. */
export function WarningSign() {
  return (
    <svg class="warning-sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 1.5 15 14H1z" />
      <path class="bang" d="M8 6v4m0 1.6v.1" />
    </svg>
  )
}
