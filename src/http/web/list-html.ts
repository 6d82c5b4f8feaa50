import { raw } from 'hono/html'
import { inTurns } from '../../lib/in-turns.js'

/** How many items become one text: of thousands of small ones, making the page and sending it would take longer than making them. */
const TOGETHER = 50

/**
 * The HTML of thousands of items of a page, each made by `render`. It is made in turns, because pings wait for the thread that makes
 * pages.
 */
export async function listHtml<T>(items: readonly T[], render: (item: T) => { toString(): string }) {
  return raw(await inTurns(joined(items, render)))
}

function* joined<T>(
  items: readonly T[],
  render: (item: T) => { toString(): string },
): Generator<void, string> {
  const parts: string[] = []
  for (let from = 0; from < items.length; from += TOGETHER) {
    parts.push(
      items
        .slice(from, from + TOGETHER)
        .map(item => String(render(item)))
        .join(''),
    )
    yield
  }
  return parts.join('')
}
