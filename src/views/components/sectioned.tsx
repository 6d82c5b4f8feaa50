import type { PropsWithChildren } from 'hono/jsx'

interface Props {
  /** The page's sections, by their ids. */
  sections: readonly { id: string; label: string }[]
}

/** A long page with an index of its sections, which stays visible on a wide screen. */
export function Sectioned({ sections, children }: PropsWithChildren<Props>) {
  return (
    <div class="sectioned">
      <nav class="index" aria-label="On this page">
        {sections.map(({ id, label }) => (
          <a href={`#${id}`}>{label}</a>
        ))}
      </nav>
      <div>{children}</div>
    </div>
  )
}
