import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const known = await world.check(alice, { name: 'known' })

/** What creating and what updating with `body` answers: always the same. */
async function problemWith(body: unknown): Promise<string> {
  const created = await world.post('/api/v3/checks/', alice.rw, body)
  const updated = await world.post(`/api/v3/checks/${known.uuid}`, alice.rw, body)
  assert.equal(created.status, 400, created.text)
  assert.equal(updated.text, created.text)
  assert.equal(updated.status, 400)
  assert.equal(created.headers.get('content-type'), 'application/json')
  return created.json.error
}

const TOO_LONG = 'x'.repeat(101)
const INVALID: [fields: object, problem: string][] = [
  [{ channels: null }, 'channels is not a string'],
  [{ channels: [] }, 'channels is not a string'],
  [{ desc: 1 }, 'desc is not a string'],
  [{ desc: 'a\0b' }, 'desc contains a null character (U+0000)'],
  [{ desc: '\ud800' }, 'desc contains half of a surrogate pair'],
  [{ failure_kw: null }, 'failure_kw is not a string'],
  [{ failure_kw: 'x'.repeat(201) }, 'failure_kw is too long'],
  [{ filter_subject: 1 }, 'filter_subject is not a boolean'],
  [{ filter_subject: null }, 'filter_subject is not a boolean'],
  [{ filter_body: 'true' }, 'filter_body is not a boolean'],
  [{ filter_http_body: [] }, 'filter_http_body is not a boolean'],
  [{ filter_default_fail: 0 }, 'filter_default_fail is not a boolean'],
  [{ grace: null }, 'grace is not a number'],
  [{ grace: '60' }, 'grace is not a number'],
  [{ grace: 60.5 }, 'grace is not a number'],
  [{ grace: [] }, 'grace is not a number'],
  [{ grace: {} }, 'grace is not a number'],
  [{ grace: 59 }, 'grace is too small'],
  [{ grace: -1 }, 'grace is too small'],
  [{ grace: true }, 'grace is too small'],
  [{ grace: 31536001 }, 'grace is too large'],
  [{ manual_resume: 1 }, 'manual_resume is not a boolean'],
  [{ methods: 'GET' }, 'methods has unexpected value'],
  [{ methods: null }, 'methods has unexpected value'],
  [{ methods: 1 }, 'methods has unexpected value'],
  [{ name: 1 }, 'name is not a string'],
  [{ name: null }, 'name is not a string'],
  [{ name: 'a\0' }, 'name contains a null character (U+0000)'],
  [{ name: '\udc00x' }, 'name contains half of a surrogate pair'],
  [{ name: TOO_LONG }, 'name is too long'],
  [{ name: '💾'.repeat(101) }, 'name is too long'],
  [{ schedule: null }, 'schedule is not a string'],
  [{ schedule: TOO_LONG }, 'schedule is too long'],
  [{ schedule: '' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: 'nonsense' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: '* * * * 9' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ schedule: '0 0 31 2 *' }, 'schedule is not a valid cron or OnCalendar expression'],
  [{ slug: 1 }, 'slug is not a string'],
  [{ slug: TOO_LONG }, 'slug is too long'],
  [{ slug: 'Upper' }, 'slug does not match pattern'],
  [{ slug: 'a b' }, 'slug does not match pattern'],
  [{ slug: 'a\n' }, 'slug does not match pattern'],
  [{ start_kw: [] }, 'start_kw is not a string'],
  [{ start_kw: 'x'.repeat(201) }, 'start_kw is too long'],
  [{ subject: 1 }, 'subject is not a string'],
  [{ subject: 'x'.repeat(201) }, 'subject is too long'],
  [{ subject_fail: null }, 'subject_fail is not a string'],
  [{ subject_fail: 'x'.repeat(201) }, 'subject_fail is too long'],
  [{ success_kw: {} }, 'success_kw is not a string'],
  [{ success_kw: 'x'.repeat(201) }, 'success_kw is too long'],
  [{ tags: ['a'] }, 'tags is not a string'],
  [{ tags: 'x'.repeat(501) }, 'tags is too long'],
  [{ timeout: '3600' }, 'timeout is not a number'],
  [{ timeout: false }, 'timeout is too small'],
  [{ timeout: 1e30 }, 'timeout is too large'],
  [{ timeout: 59 }, 'timeout is too small'],
  [{ tz: null }, 'tz is not a string'],
  [{ tz: '' }, 'tz is not a valid timezone'],
  [{ tz: 'europe/riga' }, 'tz is not a valid timezone'],
  [{ tz: '+02:00' }, 'tz is not a valid timezone'],
  [{ tz: 'localtime' }, 'tz is not a valid timezone'],
  [{ unique: null }, 'unique is not an array'],
  [{ unique: 'name' }, 'unique is not an array'],
  [{ unique: {} }, 'unique is not an array'],
  [{ unique: ['desc'] }, "an item in 'unique' has unexpected value"],
  [{ unique: [1] }, "an item in 'unique' has unexpected value"],
]

for (const [fields, problem] of INVALID) {
  const shown = JSON.stringify(fields).slice(0, 50)
  test(`${shown} is refused: ${problem}`, async () => {
    assert.equal(await problemWith(fields), `json validation error: ${problem}`)
  })
}

test('of several problems the first in the fixed order of the fields is told', async () => {
  const order =
    'channels desc failure_kw filter_subject filter_body filter_http_body filter_default_fail grace ' +
    'manual_resume methods name schedule slug start_kw subject subject_fail success_kw tags timeout tz unique'
  const fields = order.split(' ')
  for (const [index, field] of fields.entries()) {
    // Sent in reverse, so that the order of the request is seen not to matter.
    const wrong = Object.fromEntries(
      fields
        .slice(index)
        .reverse()
        .map(name => [name, null]),
    )
    assert.match(await problemWith(wrong), new RegExp(`^json validation error: ${field} `))
  }
})

test('a body that is no JSON cannot be parsed', async () => {
  for (const body of ['{', 'name=x', '{"timeout": NaN}', '{"timeout": Infinity}', "{'a': 1}", '\ufeff{}']) {
    assert.equal(await problemWith(body), 'could not parse request body', body)
  }
})

test('a body that is not UTF-8 cannot be parsed', async () => {
  const bytes = new Uint8Array([...Buffer.from('{"name": "'), 0xff, ...Buffer.from('"}')])
  assert.equal(await problemWith(bytes), 'could not parse request body')
})

test('JSON that is no object is refused', async () => {
  for (const body of ['[]', 'null', '"text"', '1', 'true']) {
    assert.equal(await problemWith(body), 'json validation error: value is not an object', body)
  }
})

test('pausing and resuming read their bodies as strictly', async () => {
  for (const verb of ['pause', 'resume']) {
    const reply = await world.post(`/api/v3/checks/${known.uuid}/${verb}`, alice.rw, '[')
    assert.equal(reply.json.error, 'could not parse request body')
  }
})

test('a body over 2.5 MiB is refused', async () => {
  const body = `{"desc": "${'x'.repeat(2_621_440)}"}`
  const { status, json } = await world.post('/api/v3/checks/', alice.rw, body)
  assert.equal(status, 400)
  assert.equal(json.error, 'the request body is larger than 2621440 bytes')
})

test('values at the edge of what is allowed are taken', async () => {
  const fields = {
    name: '💾'.repeat(100),
    slug: 'a'.repeat(100),
    tags: 'x'.repeat(500),
    timeout: 60,
    grace: 31_536_000,
    success_kw: 'k'.repeat(200),
  }
  const { json } = await world.post('/api/v3/checks/', alice.rw, fields)
  for (const [name, value] of Object.entries(fields)) assert.equal(json[name], value, name)
  assert.equal((await world.post('/api/v3/checks/', alice.rw, { grace: 60 })).json.grace, 60)
  assert.equal((await world.post('/api/v3/checks/', alice.rw, { timeout: 31_536_000 })).status, 201)
  assert.equal((await world.post('/api/v3/checks/', alice.rw, '{"timeout": 60.0}')).json.timeout, 60)
})

test('the last of two equal keys counts, and the content type does not', async () => {
  const { json } = await world.send('POST', '/api/v3/checks/', {
    key: alice.rw,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '{"name": "first", "name": "last"}',
  })
  assert.equal(json.name, 'last')
})
