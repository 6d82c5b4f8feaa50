/**
 * The metrics of a process, in the Prometheus text format. Source:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */

/** The content type of the format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string>>

interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples(): string[]
}

export class Metrics {
  readonly #metrics: Metric[] = []

  /** Adds a counter with a value for each set of labels, and returns a function that increments it. End the name in `_total`. */
  counter(name: string, help: string): (labels?: Labels, by?: number) => void {
    const values = new Map<string, number>()
    this.#metrics.push({
      name,
      help,
      type: 'counter',
      samples: () => [...values].map(([labels, value]) => `${name}${labels} ${value}`),
    })
    return (labels = {}, by = 1) => {
      const key = formatLabels(labels)
      values.set(key, (values.get(key) ?? 0) + by)
    }
  }

  /** Adds a gauge that calls `read` on every scrape. It is omitted while `read` returns null. */
  gauge(name: string, help: string, read: () => number | null, labels: Labels = {}): void {
    this.#addReadMetric('gauge', name, help, read, labels)
  }

  /** Adds a counter that calls `read` on every scrape. It is omitted while `read` returns null. */
  total(name: string, help: string, read: () => number | null): void {
    this.#addReadMetric('counter', name, help, read, {})
  }

  #addReadMetric(
    type: 'gauge' | 'counter',
    name: string,
    help: string,
    read: () => number | null,
    labels: Labels,
  ): void {
    this.#metrics.push({
      name,
      help,
      type,
      samples: () => {
        const value = read()
        return value === null ? [] : [`${name}${formatLabels(labels)} ${value}`]
      },
    })
  }

  /** Adds a histogram, and returns a function that observes a value. `bounds` are the upper bounds of the buckets, ascending. */
  histogram(name: string, help: string, bounds: readonly number[]): (value: number) => void {
    const counts = new Array<number>(bounds.length + 1).fill(0)
    let sum = 0
    this.#metrics.push({
      name,
      help,
      type: 'histogram',
      samples: () => {
        let total = 0
        const buckets = [...bounds, '+Inf'].map((bound, index) => {
          total += counts[index]!
          return `${name}_bucket{le="${bound}"} ${total}`
        })
        return [...buckets, `${name}_sum ${sum}`, `${name}_count ${total}`]
      },
    })
    return value => {
      const index = bounds.findIndex(bound => value <= bound)
      counts[index === -1 ? bounds.length : index]!++
      sum += value
    }
  }

  /** All metrics in the text format. */
  text(): string {
    const blocks = this.#metrics.map(({ name, help, type, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples(), ''].join('\n'),
    )
    return blocks.join('')
  }
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, found => (found === '\n' ? '\\n' : `\\${found}`))
}
