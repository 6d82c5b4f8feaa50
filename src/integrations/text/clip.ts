/** Cuts texts to the limits of services. Lengths are in UTF-16 units, the strictest count that services use. */

/** The beginning of a text, at most `max` long, ending in `…` if it was cut. */
export function clip(text: string, max: number): string {
  if (max <= 0) return ''
  return text.length <= max ? text : `${whole(text.slice(0, max - 1))}…`
}

/** The beginning and the end of a text with `…` between them, at most `max` long. */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const tail = wholeEnd(text.slice(-Math.floor(max / 3)))
  return `${whole(text.slice(0, max - 1 - tail.length))}…${tail}`
}

/** The longest beginning of a text whose rendered form is at most `room` long, ending in `…` if it was cut. */
export function beginningWithin(text: string, room: number, render: (beginning: string) => string): string {
  if (render(text).length <= room) return text
  let fits = 0
  let tooLong = text.length
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2)
    if (render(clip(text, length)).length <= room) fits = length
    else tooLong = length
  }
  return clip(text, fits)
}

/** The longest end of a text whose rendered form is at most `room` long; may be empty. */
export function endWithin(text: string, room: number, render: (end: string) => string): string {
  let tooLong = 0
  let fits = text.length
  if (render(text).length <= room) return text
  while (fits - tooLong > 1) {
    const from = Math.floor((tooLong + fits) / 2)
    if (render(text.slice(from)).length <= room) fits = from
    else tooLong = from
  }
  return wholeEnd(text.slice(fits))
}

/** As many of the lines as fit, joined, at most `max` long, with an ellipsis at the end if some do not. */
export function joinLinesWithin(lines: readonly string[], max: number): string {
  const all = lines.join('\n')
  if (all.length <= max) return all
  const kept: string[] = []
  let size = 1
  for (const line of lines) {
    size += line.length + 1
    if (size > max) break
    kept.push(line)
  }
  return [...kept, '\u2026'].join('\n')
}

/** Removes half of a surrogate pair that a cut has left. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}

function wholeEnd(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '')
}
