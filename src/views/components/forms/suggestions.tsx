interface Props {
  id: string
  values: readonly string[]
}

/** What a field with `list` suggests. */
export function Suggestions({ id, values }: Props) {
  return (
    <datalist id={id}>
      {values.map(value => (
        <option value={value} />
      ))}
    </datalist>
  )
}
