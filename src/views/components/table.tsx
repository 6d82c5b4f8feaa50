import type { Child, PropsWithChildren } from 'hono/jsx'

export interface Column {
  title: Child
  /** For figures. */
  align?: 'right'
  /** Hidden on a phone. */
  wide?: boolean
  /** Takes the remaining width. */
  grow?: boolean
  /** For checkboxes. */
  pick?: boolean
  /** Whether only screen readers get the title. */
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

/** A table like a timetable: a strong rule above, hairlines between rows. Its children are `<tr>`s; see `cellClass`. */
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

/** The class of a cell in a column, the same for the heading and the cells. */
export function cellClass({
  align,
  wide,
  grow,
  pick,
  name,
}: Pick<Column, 'align' | 'wide' | 'grow' | 'pick' | 'name'>): string | undefined {
  return [align, wide && 'wide', grow && 'grow', pick && 'pick', name].filter(Boolean).join(' ') || undefined
}
