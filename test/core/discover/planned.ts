import {
  keptSlugs,
  type PlannedLine,
  planCrontab,
  rewriteCrontab,
} from '../../../src/core/discover/plan-crontab.js'
import type { CrontabFormat } from '../../../src/core/discover/read-crontab.js'

const NOW = Date.UTC(2026, 0, 1)
/** How rewritten lines ping. */
export const PING = 'curl -fsS -m 10 --retry 5 -o /dev/null'

/** A plan of a machine in Riga. */
export const plan = (text: string, format: CrontabFormat = 'user', host = '') =>
  planCrontab(text, { format, tz: 'Europe/Riga', host, now: NOW, taken: new Set(keptSlugs(text, format)) })

/** An address for each check of a plan. */
export const addressesOf = (lines: readonly PlannedLine[]) =>
  new Map(lines.flatMap(({ line, check }) => (check ? [[line, `https://p.example/ping/${check.slug}`]] : [])))

/** The text as the plan of it rewrites it. */
export const rewrite = (text: string, format: CrontabFormat = 'user') => {
  const lines = plan(text, format)
  return rewriteCrontab(text, lines, addressesOf(lines))
}
