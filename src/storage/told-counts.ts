/** How the counts of core/noise.ts lie in columns: both kinds of news in one number. */
import type { Count, News } from '../core/noise.js'

/** Each message that tells of no fall. Of messages that do, HANDFUL a minute leave far fewer an hour. */
const OTHER = 10_000

/** What a message with such news adds to the number. */
export function weightOf(news: News): number {
  return news === 'fall' ? 1 : OTHER
}

/** The count that begins at `from` and is kept as `told`. */
export function countOf(from: number | null, told: number): Count {
  return { from, falls: told % OTHER, others: Math.floor(told / OTHER) }
}
