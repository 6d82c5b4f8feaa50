interface Props {
  label: string
  /** A CSS selector of the elements to filter. */
  among: string
}

/** Filters what a page lists while the user types. It is visible only if a script can do so. */
export function FilterBox({ label, among }: Props) {
  return (
    <input
      type="search"
      class="filter-box"
      data-filter={among}
      placeholder={label}
      aria-label={label}
      hidden
    />
  )
}
