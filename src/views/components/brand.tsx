/** Punctual's logo, a station clock. */
export function Brand({ name }: { name: string }) {
  return (
    <span class="brand">
      <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="10" />
        <path d="M12 5v7l4.4 3.2" />
      </svg>
      <span>{name}</span>
    </span>
  )
}
