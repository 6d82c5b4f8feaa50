interface Props {
  tags: readonly string[]
  /**
   * The maximum number of characters. Tags that do not fit become a number with their names as its title. All are shown
   * if it is absent.
   */
  room?: number
  /** The maximum where the list is wide; by default the same. The style sheet shows one or the other. */
  wideRoom?: number
}

/** Tags as small labels. Their colour has no meaning. */
export function Tags({ tags, room = Number.POSITIVE_INFINITY, wideRoom = room }: Props) {
  if (tags.length === 0) return null
  const narrow = fitting(tags, room)
  const wide = fitting(tags, wideRoom)
  const differ = wide > narrow
  return (
    <span class="tags">
      {tags.slice(0, wide).map((tag, index) => (
        <span class={index < narrow ? 'tag' : 'tag tag-wide'}>{tag}</span>
      ))}
      <Others tags={tags.slice(narrow)} only={differ ? 'tag-narrow' : ''} />
      {differ ? <Others tags={tags.slice(wide)} only="tag-wide" /> : null}
    </span>
  )
}

/** The number of the tags that are not shown. `only`: the class of the width at which it is shown. */
function Others({ tags, only }: { tags: readonly string[]; only: string }) {
  if (tags.length === 0) return null
  return (
    <span class={`tag tag-more ${only}`.trimEnd()} title={tags.join(', ')}>
      +{tags.length}
      <span class="sr-only"> tags</span>
    </span>
  )
}

/** How many of the first tags fit, at least one. */
function fitting(tags: readonly string[], room: number): number {
  let used = 0
  const end = tags.findIndex((tag, index) => {
    used += tag.length + 2
    return used > room && index > 0
  })
  return end === -1 ? tags.length : end
}
