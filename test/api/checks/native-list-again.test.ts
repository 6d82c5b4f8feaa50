/** The list of checks in Punctual's own API after changes: what is kept of settings from one list to the next is never old. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'
import type { Account } from '../../_support/worlds/world.js'

const world = await openWebWorld()
const alice = await world.account('Again', world.alice.id)
const URL = '/api/punctual/v1/checks'

/** Short and long pages, which PostgreSQL sends in different ways, for both kinds of readers. */
const QUERIES = ['?limit=5', '?limit=1000', '?limit=1000&name=Other', '?limit=1000&search=o']
const ODD_TEXTS = [
  '',
  '\\N',
  'tab\tline\nreturn\r',
  'back\\slash \\t "quoted"',
  'ä€😀\u2028\u007f\u0001',
  'null',
  '\\.',
]

const item = async (query: string, uuid: string, key: string, uniqueKey: string) => {
  const { items } = (await world.get(`${URL}${query}`, key)).json
  return items.find((one: { uuid?: string; unique_key?: string }) =>
    [one.uuid, one.unique_key].includes(key === alice.rw ? uuid : uniqueKey),
  )
}

/** Asserts that every list shows the check as it is shown alone. */
async function assertListed(uuid: string, of: Account = alice): Promise<void> {
  const shown = (await world.get(`${URL}/${uuid}`, of.rw)).json
  const { badge_url } = shown
  const readers = (await world.get(`${URL}?limit=1000`, of.ro)).json.items
  const { unique_key } = readers.find((one: { badge_url: string }) => one.badge_url === badge_url)
  const toReaders = (await world.get(`${URL}/${unique_key}`, of.ro)).json
  for (const query of QUERIES) {
    const isListed = !query.includes('name') || shown.name === 'Other'
    if (query.includes('search') && !shown.name.includes('o')) continue
    assert.deepEqual(await item(query, uuid, of.rw, unique_key), isListed ? shown : undefined, query)
    assert.deepEqual(await item(query, uuid, of.ro, unique_key), isListed ? toReaders : undefined, query)
  }
}

test('a list shows each change of a check, however often it was asked for before', async () => {
  const { uuid } = (await world.post(URL, alice.rw, { name: 'One' })).json
  const parent = (await world.post(URL, alice.rw, { name: 'Parent' })).json.uuid
  const change = async (body: object) => {
    const { status, text } = await world.send('PATCH', `${URL}/${uuid}`, { key: alice.rw, body })
    assert.equal(status, 200, text)
  }
  await assertListed(uuid)
  const changes = [
    { name: 'Other', slug: 'other', tags: ['a', 'b'] },
    { schedule: '0 4 * * *', tz: 'Europe/Riga' },
    { period: 60, grace: 120 },
    { failures_to_alert: 3, tolerated: ['failed', 'missed'], failure_window: 5 },
    { manual_resume: true, filter_subject: true, start_kw: 'begin' },
    { depends_on: [parent] },
    { depends_on: [], desc: 'x'.repeat(5_000) },
    { desc: 'y'.repeat(5_000) },
    { desc: '' },
    ...ODD_TEXTS.map(desc => ({ desc })),
    { name: 'Renamed once more' },
  ]
  for (const body of changes) {
    await change(body)
    await assertListed(uuid)
  }
  for (const suffix of ['/start', '/fail', '']) {
    await world.ping({ uuid }, suffix)
    await assertListed(uuid)
  }
})
