/** An e-mail address, which breaks after its `@` and its dots where a line has no room for it. */
export function EmailAddress({ address }: { address: string }) {
  return (
    <span class="address">
      {address.split(/(?<=[@.])/).map((part, index) => (
        <>
          {index > 0 ? <wbr /> : null}
          {part}
        </>
      ))}
    </span>
  )
}
