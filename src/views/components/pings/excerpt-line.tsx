import type { Excerpt } from '../../../core/text/output/find-in-output.js'

/** The line of an output in which a text was found, with the text marked. */
export function ExcerptLine({ excerpt: { line, before, found, after } }: { excerpt: Excerpt }) {
  return (
    <span class="excerpt">
      <span class="excerpt-n">
        <span class="sr-only">line </span>
        {line}
      </span>{' '}
      <code>
        {before}
        <mark>{found}</mark>
        {after}
      </code>
    </span>
  )
}
