/** A hairline that fills during the time from the last ping to the next. */
export function UntilDue({ from, due, now }: { from: number; due: number; now: number }) {
  return (
    <progress
      class="until-due"
      max="100"
      aria-hidden="true"
      data-span={`${from} ${due}`}
      value={shareOf(from, due, now)}
    />
  )
}

/** How much of the time from `from` to `due` has passed, in per cent. */
export function shareOf(from: number, due: number, now: number): number {
  return due > from ? Math.round(100 * Math.min(1, Math.max(0, (now - from) / (due - from)))) : 100
}
