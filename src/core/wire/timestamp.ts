/** Instants on the wire: ISO 8601, UTC, with the offset. Source: docs/behaviour.md, sections 3.3 and 4.8. */

/** In whole seconds, cut off: `2026-01-02T03:04:05+00:00`. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}

/** In microseconds; a whole second has no decimals. `us` (0-999) orders instants of the same millisecond. */
export function isoMicroseconds(ms: number, us: number): string {
  const text = new Date(ms).toISOString()
  if (us === 0 && ms % 1000 === 0) return `${text.slice(0, 19)}+00:00`
  return `${text.slice(0, 23)}${String(us).padStart(3, '0')}+00:00`
}

/** In milliseconds: `2026-01-02T03:04:05.678+00:00`. */
export function isoMilliseconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}+00:00`
}
