// Writes the table of events to the page about the security log, from src/lib/log/security-events.ts.
import { replaceGeneratedPart, table } from './generated-part.js'

const PAGE = 'docs/security-log.md'

/** The updated page by its path. `events` is the table of events; `read` returns a page's current text. */
export function securityEventPages(events, read) {
  const rows = Object.entries(events).map(([name, { means, warns }]) => [
    `\`${name}\``,
    warns ? 'warn' : 'info',
    means,
  ])
  const text = table(['Event', 'Level', 'Meaning'], rows)
  return new Map([[PAGE, replaceGeneratedPart(PAGE, read(PAGE), 'src/lib/log/security-events.ts', text)]])
}
