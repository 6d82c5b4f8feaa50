/** Tags as small marks; they mean nothing by colour. */
export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <span class="tags">
      {tags.map(tag => (
        <span class="tag">{tag}</span>
      ))}
    </span>
  )
}
