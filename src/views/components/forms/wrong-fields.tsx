/** Says above a form how many of its fields are wrong; nothing if none is. */
export function WrongFields({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p class="flash flash-bad" role="alert">
      Not saved: correct {count === 1 ? 'the field' : `the ${count} fields`} below.
    </p>
  )
}
