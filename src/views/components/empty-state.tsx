import type { PropsWithChildren } from 'hono/jsx'

/** Nothing is here yet, and this is how something comes to be here. */
export function EmptyState({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
