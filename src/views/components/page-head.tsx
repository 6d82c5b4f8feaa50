import type { Child, PropsWithChildren } from 'hono/jsx'

interface Props {
  title: Child
  /** One sentence under the title. */
  lead?: Child
}

/** The top of a page: its title, one sentence, and its actions on the right. */
export function PageHead({ title, lead, children }: PropsWithChildren<Props>) {
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead ? <p class="lead">{lead}</p> : null}
      </div>
      {children ? <div class="actions">{children}</div> : null}
    </header>
  )
}
