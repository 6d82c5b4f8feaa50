import type { Child, PropsWithChildren } from 'hono/jsx'

export interface Column {
  title: Child
  /** Figures stand at the right. */
  align?: 'right'
  /** Left out on a phone. */
  wide?: boolean
  /** Takes what room there is. */
  grow?: boolean
  /** Boxes to tick. */
  pick?: boolean
  /** The title is for screen readers alone. */
  silent?: boolean
  /** The class of its cells. */
  name?: string
}

interface Props {
  columns: readonly Column[]
  /** What the table lists, for screen readers. */
  caption: string
  class?: string
}

/** A timetable: a strong rule above, hairlines between rows. Its children are `<tr>`s; see `cellClass`. */
export function Table({ columns, caption, children, class: more = '' }: PropsWithChildren<Props>) {
  return (
    <div class="table-scroll">
      <table class={`rows ${more}`.trim()}>
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => (
              <th scope="col" class={cellClass(column)}>
                {column.silent ? <span class="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** The class of a cell in a column, so that heading and cells agree. */
export function cellClass({
  align,
  wide,
  grow,
  pick,
  name,
}: Pick<Column, 'align' | 'wide' | 'grow' | 'pick' | 'name'>): string | undefined {
  return [align, wide && 'wide', grow && 'grow', pick && 'pick', name].filter(Boolean).join(' ') || undefined
}
