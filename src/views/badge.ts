/** Draws badges in the flat style of shields.io: a grey label, and the status on its colour. */
import type { BadgeStatus } from '../core/checks/badge.js'
import { escapeHtml } from './escape-html.js'

const COLORS: Record<BadgeStatus, string> = { up: '#4c1', late: '#fe7d37', down: '#e05d44' }

/**
 * The widths in pixels of characters in 11 px Verdana; all others are 7 wide. Source: docs/behaviour.md, section 5.3.
 */
const WIDTHS = widths({
  3: 'ijlI',
  4: 'frJ-',
  5: 't',
  6: 'cesx1FLP_',
  8: 'ACDHNUV',
  9: 'wGOQ',
  10: 'mM',
  11: 'W',
})

/** The SVG of a badge, 20 pixels high. */
export function badgeSvg(label: string, status: BadgeStatus): string {
  const left = widthOf(label) + 10
  const right = widthOf(status) + 10
  const width = left + right
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img">
<linearGradient id="shade" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>
<mask id="corners"><rect width="${width}" height="20" rx="3" fill="#fff"/></mask>
<g mask="url(#corners)"><path fill="#555" d="M0 0h${left}v20H0z"/><path fill="${COLORS[status]}" d="M${left} 0h${right}v20H${left}z"/><path fill="url(#shade)" d="M0 0h${width}v20H0z"/></g>
<g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11">
${textAt(left / 2, label)}
${textAt(left + right / 2, status)}
</g></svg>`
}

/** White text on its own dark shadow. */
function textAt(x: number, text: string): string {
  // XML does not allow control characters.
  const escaped = escapeHtml(text.replace(/[\p{Cc}\ufffe\uffff]/gu, ' '))
  return `<text x="${x}" y="15" fill="#010101" fill-opacity=".3">${escaped}</text><text x="${x}" y="14">${escaped}</text>`
}

function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += WIDTHS.get(char) ?? 7
  return width
}

function widths(byWidth: Record<number, string>): Map<string, number> {
  return new Map(
    Object.entries(byWidth).flatMap(([width, chars]) =>
      [...chars].map(char => [char, Number(width)] as const),
    ),
  )
}
