import { LONGEST_DURATION_SECONDS } from '../../core/checks/run-fields.js'

/** Milliseconds. Source: https://pkg.go.dev/time#ParseDuration */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

const WHOLE = /^\+?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|[uµμ]s|ms|s|m|h))+)$/

/** A duration as Go writes it, such as `1m30.5s`, in whole ms; null if it is none, is negative or is too long to be kept. */
export function goDurationMs(text: string): number | null {
  if (text.length > 100 || !WHOLE.test(text)) return null
  let ms = 0
  for (const [, number, unit] of text.matchAll(/([\d.]+)([^\d.]+)/g)) ms += Number(number) * UNITS[unit!]!
  return ms <= LONGEST_DURATION_SECONDS * 1_000 ? Math.round(ms) : null
}
