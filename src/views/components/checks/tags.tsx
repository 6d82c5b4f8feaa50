interface Props {
  tags: readonly string[]
  /**
   * The maximum number of characters. Tags that do not fit become a number with their names as its title. All are shown
   * if it is absent.
   */
  room?: number
}

/** Tags as small labels. Their colour has no meaning. */
export function Tags({ tags, room = Number.POSITIVE_INFINITY }: Props) {
  if (tags.length === 0) return null
  const shown = fitting(tags, room)
  const others = tags.slice(shown.length)
  return (
    <span class="tags">
      {shown.map(tag => (
        <span class="tag">{tag}</span>
      ))}
      {others.length > 0 ? (
        <span class="tag tag-more" title={others.join(', ')}>
          +{others.length}
          <span class="sr-only"> tags</span>
        </span>
      ) : null}
    </span>
  )
}

/** The first tags that fit, at least one. */
function fitting(tags: readonly string[], room: number): readonly string[] {
  let used = 0
  const end = tags.findIndex((tag, index) => {
    used += tag.length + 2
    return used > room && index > 0
  })
  return end === -1 ? tags : tags.slice(0, end)
}
