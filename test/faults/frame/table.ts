import type { Result } from './run-fault.js'

const HEADINGS = [
  'fault',
  'engine',
  'acknowledged',
  'lost',
  'refused (503)',
  'slowest refusal',
  'no answer',
  'alerts',
  'repeated',
  'besides',
]

/** The results as a table in Markdown. The number of lost pings is always 0: otherwise there is no result. */
export function tableOf(results: readonly Result[]): string {
  const lines = results.map(result => [
    result.fault,
    result.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    count(result.acknowledged),
    '0',
    count(result.refused),
    result.refused > 0 ? `${result.slowestRefusalMs} ms` : '–',
    count(result.unanswered),
    count(result.alerts),
    count(result.repeated),
    Object.entries(result.figures)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
  ])
  return [HEADINGS, HEADINGS.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function count(value: number): string {
  return value.toLocaleString('en-GB')
}
