import assert from 'node:assert/strict'
import { test } from 'node:test'
import { badgeSignature } from '../../../src/lib/secrets/badge-signature.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld({ app: { SITE_NAME: 'Watch', MASTER_BADGE_LABEL: 'everything' } })
const { alice } = world
const ROOT = 'http://localhost:8000'
/** Follows an address that an answer holds. */
const follow = (url: string) => world.send('GET', url.replace(ROOT, ''))

type Event = [seconds: number, suffix: string]
/** A project with a check per entry: its tags, and what happened to it (a minute's period and grace). */
async function project(...checks: [tags: string, events: Event[], fields?: object][]) {
  const owner = await world.account()
  const made = []
  for (const [tags, events, fields] of checks) {
    const check = await world.check(owner, { timeout: 60, grace: 60, tags, ...fields })
    for (const [seconds, suffix] of events) {
      world.clock.advance(seconds)
      if (suffix === 'pause') await world.post(`/api/v3/checks/${check.uuid}/pause`, owner.rw)
      else if (suffix !== 'wait') await world.ping(check, suffix)
    }
    made.push(check)
  }
  const { badges } = (await world.get('/api/v3/badges/', owner.ro)).json
  return { owner, made, badges }
}
const json = async (url: string) => (await follow(url)).json

test('the signature agrees with the reference’s', () => {
  assert.equal(badgeSignature('alice', '---', '*'), '6SKpySaJ')
  assert.equal(badgeSignature('alice', '---', 'a'), 'QNHUJypk')
})

test('badges are listed by tag, and for all checks, with six addresses each', async () => {
  const { owner, badges } = await project(['db prod', []], ['prod', []])
  assert.deepEqual(Object.keys(badges).sort(), ['*', 'db', 'prod'])
  assert.deepEqual(Object.keys(badges.db), ['svg', 'svg3', 'json', 'json3', 'shields', 'shields3'])
  const { badgeKey } = owner
  const signed = `${ROOT}/badge/${badgeKey}/[\\w-]{8}`
  assert.match(badges.db.svg, new RegExp(`^${signed}-2/db\\.svg$`))
  assert.match(badges.db.svg3, new RegExp(`^${signed}/db\\.svg$`))
  assert.match(badges['*'].json, new RegExp(`^${signed}-2\\.json$`))
  assert.match(badges['*'].shields3, new RegExp(`^${signed}\\.shields$`))
})

test('a project without checks has the badge for all checks', async () => {
  const { badges } = await project()
  assert.deepEqual(Object.keys(badges), ['*'])
  assert.deepEqual(await json(badges['*'].json), { status: 'up', total: 0, grace: 0, down: 0 })
})

test('every listed address leads to its badge, whatever the tag is made of', async () => {
  const tags = ['db@dc1', 'x/y', 'bär', 'a%b', 'a.svg', '(c)!', '..', '__proto__', 'a,b', '*', '日本', '~_-.']
  const { badges } = await project([tags.join(' '), []])
  assert.equal(Object.keys(badges).length, tags.length)
  for (const [tag, set] of Object.entries<Record<string, string>>(badges)) {
    for (const url of Object.values(set)) assert.equal((await follow(url)).status, 200, `${tag} ${url}`)
    if (tag !== '*') assert.equal((await json(set.shields!)).label, tag)
  }
  assert.ok(badges['db@dc1'].svg.endsWith('/db%2540dc1.svg'))
  assert.ok(badges['x/y'].svg.endsWith('/x%252Fy.svg'))
  assert.ok(badges.bär.svg.endsWith('/b%25C3%25A4r.svg'))
  assert.ok(badges['~_-.'].svg.endsWith('/~_-..svg'))
})

test('a group is down if any check is down, late only where three states are told apart', async () => {
  const up = ['a', [[0, '']]] as [string, Event[]]
  const { badges } = await project(
    [
      'b late',
      [
        [0, ''],
        [60, 'wait'],
      ],
    ],
    up,
  )
  assert.deepEqual(await json(badges['*'].json), { status: 'up', total: 2, grace: 1, down: 0 })
  assert.deepEqual(await json(badges['*'].json3), { status: 'late', total: 2, grace: 1, down: 0 })
  assert.equal((await json(badges.a.json3)).status, 'up')
  const worse = await project(
    [
      'x',
      [
        [0, ''],
        [60, 'wait'],
      ],
    ],
    ['y', [[0, '/fail']]],
  )
  assert.deepEqual(await json(worse.badges['*'].json3), { status: 'down', total: 2, grace: 1, down: 1 })
  assert.equal((await json(worse.badges.x.json)).status, 'up')
})

test('new, paused and running checks count as up; a run that takes too long counts as down', async () => {
  const { badges } = await project(['n', []], ['p', [[0, 'pause']]], ['s', [[0, '/start']]])
  assert.deepEqual(await json(badges['*'].json3), { status: 'up', total: 3, grace: 0, down: 0 })
  world.clock.advance(60)
  assert.deepEqual(await json(badges['*'].json3), { status: 'down', total: 3, grace: 0, down: 1 })
})

test('a badge turns red at the deadline, before any alert is sent', async () => {
  const { badges } = await project([
    't',
    [
      [0, ''],
      [119.999, 'wait'],
    ],
  ])
  assert.equal((await json(badges.t.json3)).status, 'late')
  world.clock.advance(0.001)
  assert.equal((await json(badges.t.json)).status, 'down')
})

test('shields badges name the label, the status and a colour', async () => {
  const { badges } = await project([
    't',
    [
      [0, ''],
      [60, 'wait'],
    ],
  ])
  const { text, headers } = await follow(badges.t.shields3)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.equal(text, '{"schemaVersion": 1, "label": "t", "message": "late", "color": "important"}')
  assert.equal((await json(badges.t.shields)).color, 'success')
  assert.equal((await json(badges['*'].shields)).label, 'everything')
  world.clock.advance(60)
  assert.equal((await json(badges.t.shields)).color, 'critical')
})

test('an SVG badge has the width of its texts, a colour and an escaped label', async () => {
  const { badges } = await project([
    'Wm1<&>',
    [
      [0, ''],
      [60, 'wait'],
    ],
  ])
  const { text, headers } = await follow(badges['Wm1<&>'].svg3)
  assert.equal(headers.get('content-type'), 'image/svg+xml')
  // W11 m10 16 and three of 7, and 10 around; late is 3+7+5+6, and 10 around.
  assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="89" height="20"/)
  assert.match(text, /fill="#fe7d37" d="M58 0h31v20H58z"/)
  assert.match(text, /<text x="29" y="14">Wm1&lt;&amp;&gt;<\/text>/)
  assert.match(text, /<text x="73.5" y="14">late<\/text>/)
})

test('badges are not cached and may be embedded from everywhere', async () => {
  const { badges } = await project(['t', []])
  const { headers } = await follow(badges.t.svg)
  assert.equal(headers.get('cache-control'), 'max-age=0, no-cache, no-store, must-revalidate, private')
  assert.ok(headers.get('expires'))
  assert.equal(headers.get('access-control-allow-origin'), '*')
  const options = await world.send('OPTIONS', badges.t.svg.replace(ROOT, ''))
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('access-control-allow-methods'), 'GET, OPTIONS')
  for (const method of ['HEAD', 'POST']) {
    assert.equal((await world.send(method, badges.t.svg.replace(ROOT, ''))).status, 405)
  }
})

test('two states are chosen by the suffix -2 alone; any other suffix gives three', async () => {
  const { badges } = await project([
    't',
    [
      [0, ''],
      [60, 'wait'],
    ],
  ])
  const signature = /\/([\w-]{8})\/t\.json$/.exec(badges.t.json3)![1]!
  const withSuffix = async (suffix: string) =>
    (await json(badges.t.json3.replace(signature, signature + suffix))).status
  assert.equal(await withSuffix('-2'), 'up')
  for (const suffix of ['', '-3', '-22', 'xyz']) assert.equal(await withSuffix(suffix), 'late', suffix)
})

test('a wrong signature, an unknown project and an unknown format are not found', async () => {
  const { owner, badges } = await project(['t', []])
  const signature = /\/([\w-]{8})\/t\.json$/.exec(badges.t.json3)![1]!
  const wrong = [
    badges.t.json3.replace(signature, 'AAAAAAAA'),
    badges.t.json3.replace('/t.json', '/u.json'),
    badges.t.json3.replace(owner.badgeKey, alice.badgeKey),
    badges.t.json3.replace('.json', '.png'),
    badges.t.json3.replace('.json', ''),
    `${ROOT}/badge/nobody/AAAAAAAA.svg`,
  ]
  for (const url of wrong) assert.equal((await follow(url)).status, 404, url)
})

test('a signed tag that no check has is up', async () => {
  const { owner } = await project(['t', [[0, '/fail']]])
  const signature = badgeSignature(owner.badgeKey, 'known to the tests alone', 'unused')
  const status = await json(`${ROOT}/badge/${owner.badgeKey}/${signature}/unused.json`)
  assert.deepEqual(status, { status: 'up', total: 0, grace: 0, down: 0 })
})

test('a check has a badge of its own, in two states or three', async () => {
  const { made } = await project([
    '',
    [
      [0, ''],
      [60, 'wait'],
    ],
    { name: 'Backup' },
  ])
  const url: string = made[0].badge_url
  const key = /\/b\/2\/(.+)\.svg$/.exec(url)![1]!
  const shields = (states: string) => json(`${ROOT}/b/${states}/${key}.shields`)
  assert.equal((await follow(url)).headers.get('content-type'), 'image/svg+xml')
  assert.deepEqual(await json(`${ROOT}/b/3/${key}.json`), { status: 'late', total: 1, grace: 1, down: 0 })
  assert.deepEqual([(await shields('2')).message, (await shields('2')).label], ['up', 'Backup'])
  assert.equal((await shields('3')).message, 'late')
  assert.equal((await shields('7')).message, 'up')
  const wrong = [`/b/2/${made[0].uuid}.svg`, `/b/2/${key}.png`, `/b/x/${key}.svg`, `/b/2/${key}`, '/b/2/']
  for (const path of wrong) assert.equal((await world.send('GET', path)).status, 404, path)
})

test('the badge of a nameless check does not reveal the UUID', async () => {
  const { made } = await project(['', []])
  const { text } = await follow(made[0].badge_url)
  assert.ok(!text.includes(made[0].uuid))
  assert.ok(text.includes('unnamed check'))
})
