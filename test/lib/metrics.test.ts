import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../../src/lib/metrics.js'

test('a counter counts each set of labels separately', () => {
  const metrics = new Metrics()
  const sent = metrics.counter('sent_total', 'Messages.')
  sent({ kind: 'e"mail\\\n' })
  sent({ kind: 'webhook' }, 2)
  sent({ kind: 'webhook' })
  assert.equal(
    metrics.text(),
    '# HELP sent_total Messages.\n# TYPE sent_total counter\n' +
      'sent_total{kind="e\\"mail\\\\\\n"} 1\nsent_total{kind="webhook"} 3\n',
  )
})

test('a gauge is read on each scrape, and omitted while it is null', () => {
  const metrics = new Metrics()
  let length: number | null = 3
  metrics.gauge('queue_length', 'Waiting.', () => length)
  assert.match(metrics.text(), /# TYPE queue_length gauge\nqueue_length 3\n/)
  length = null
  assert.doesNotMatch(metrics.text(), /^queue_length/m)
})

test('the buckets of a histogram count everything up to their bound', () => {
  const metrics = new Metrics()
  const observe = metrics.histogram('size', 'Sizes.', [1, 10])
  for (const size of [1, 2, 10, 11]) observe(size)
  assert.equal(
    metrics.text(),
    '# HELP size Sizes.\n# TYPE size histogram\nsize_bucket{le="1"} 1\nsize_bucket{le="10"} 3\n' +
      'size_bucket{le="+Inf"} 4\nsize_sum 24\nsize_count 4\n',
  )
})
