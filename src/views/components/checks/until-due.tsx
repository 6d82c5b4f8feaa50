/** A hairline that fills during the time from the last ping to the next. */
export function UntilDue({ from, due, now }: { from: number; due: number; now: number }) {
  const share = due > from ? Math.min(1, Math.max(0, (now - from) / (due - from))) : 1
  return (
    <svg
      class={share === 1 ? 'until-due is-past' : 'until-due'}
      viewBox="0 0 100 2"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="track" d="M0 1H100" />
      <path class="passed" d={`M0 1H${Math.round(share * 100)}`} />
    </svg>
  )
}
