import type { PropsWithChildren } from 'hono/jsx'

/** Says that there is nothing here yet, and how to create something. */
export function EmptyState({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
