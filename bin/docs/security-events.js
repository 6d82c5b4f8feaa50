// Writes the table of events into the page about the security log, from src/lib/log/security-events.ts.
import { table, withMadePart } from './made-part.js'

const PAGE = 'docs/security-log.md'

/** The page with its table made anew, by its path. `events` is the table of events, `read` returns the page as it is. */
export function securityEventPages(events, read) {
  const rows = Object.entries(events).map(([name, { means, warns }]) => [
    `\`${name}\``,
    warns ? 'warn' : 'info',
    means,
  ])
  const text = table(['Event', 'Level', 'Meaning'], rows)
  return new Map([[PAGE, withMadePart(PAGE, read(PAGE), 'src/lib/log/security-events.ts', text)]])
}
