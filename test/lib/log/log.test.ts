import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogOptions } from '../../../src/lib/log/log.js'

function recorded(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ format: 'json', level: 'info', ...options, write: line => lines.push(line) })
  return { log, lines, json: () => lines.map(line => JSON.parse(line)) }
}

test('a JSON line has the time, the level, the message and the fields', () => {
  const { log, lines, json } = recorded()
  log.info('delivery', { outcome: 'sent', durationMs: 12 })
  assert.ok(lines[0]!.endsWith('}\n'))
  const [line] = json()
  assert.match(line.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(
    { ...line, time: '' },
    {
      level: 'info',
      time: '',
      outcome: 'sent',
      durationMs: 12,
      msg: 'delivery',
    },
  )
})

test('a pretty entry is one readable line', () => {
  const { log, lines } = recorded({ format: 'pretty' })
  log.warn('no answer', { host: 'example.org', error: 'timed out\nafter 30 s', tries: 3, empty: '' })
  assert.match(
    lines[0]!,
    /^\S+Z warn {2}no answer host=example\.org error="timed out\\nafter 30 s" tries=3 empty=""\n$/,
  )
})

test('control characters in names are escaped', () => {
  const { log, lines } = recorded({ format: 'pretty' })
  const name = '\u001b[2J\u0085\u009b31m\u202ex\u007f\u2028'
  log.info(`hello ${name}`, { name, bare: '\u009b', list: [name] })
  assert.doesNotMatch(lines[0]!.trimEnd(), /[\p{Cc}\p{Cf}\u2028]/u)
  assert.match(lines[0]!, /name="\\u001b\[2J\\u0085\\u009b31m\\u202ex\\u007f\\u2028" bare="\\u009b"/)
})

test('lines below the level are not written', () => {
  const { log, lines } = recorded({ level: 'warn' })
  log.debug('a')
  log.info('b')
  log.warn('c')
  log.error('d')
  assert.equal(lines.length, 2)
})

test('an error is written with its stack and its cause', () => {
  const { log, json } = recorded()
  log.error('unexpected error', { error: new Error('outer', { cause: new Error('inner') }) })
  const { error } = json()[0]
  assert.match(error, /^Error: outer\n {4}at /)
  assert.match(error, /Caused by: Error: inner\n/)
})

const uuid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427'
const apiKey = 'hcw_abcdefghijklmnopqrstuvwxyz01'

for (const format of ['json', 'pretty'] as const) {
  test(`no id that opens something stands in a ${format} line, however deep it lies`, () => {
    const { log, lines } = recorded({ format, secrets: ['s3cret "quoted" value', 'abc'] })
    log.error(`check ${uuid}`, {
      url: `http://localhost/ping/${uuid}/start`,
      bySlug: 'GET /ping/abcdefghij0123456789ab/backup/fail',
      header: `X-Api-Key: ${apiKey}`,
      deep: { list: [{ database: 'postgres://punctual:hunter22@db/punctual' }], apiKey: 'plain' },
      error: new Error(`sent s3cret "quoted" value for ${uuid}`),
      password: 'hunter23',
      body: Buffer.from('hunter24'),
    })
    const line = lines.join('')
    for (const secret of [uuid, apiKey, 'abcdefghij0', 'hunter2', 's3cret', 'plain']) {
      assert.ok(!line.includes(secret), `${secret} stands in ${line}`)
    }
    for (const rest of ['1b4e28ba…', '/ping/abc…/backup/fail', 'hcw_…', 'punctual:…@db']) {
      assert.ok(line.includes(rest), `${rest} does not stand in ${line}`)
    }
  })
}
