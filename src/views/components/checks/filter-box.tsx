interface Props {
  label: string
  /** A CSS selector of what is looked through. */
  among: string
}

/** Narrows what a page lists while one types; it shows itself only where a script can do so. */
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
