/** Says above a form how many of its fields are wrong; nothing if none is. */
export function WrongFields({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p class="flash flash-bad" role="alert">
      {count === 1 ? 'One field needs' : `${count} fields need`} another look. Nothing was saved.
    </p>
  )
}
