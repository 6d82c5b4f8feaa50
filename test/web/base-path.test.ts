import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signAddressLink } from '../../src/actions/channels/sign-address-link.js'
import { unsubscribePath } from '../../src/actions/channels/unsubscribe.js'
import { unsubscribeReportsPath } from '../../src/actions/reports/unsubscribe-reports.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld({ app: { SITE_ROOT: 'http://monitor.example/jobs' } })
const { alice, project, store, clock } = world
const { SECRET_KEY } = world.config

const OPS = 'ops@example.org'
const settings = { value: OPS, down: 'true', up: 'true' }
const channel = { projectId: project.id, name: 'Ops', kind: 'email', settings, members: [], now: clock.now() }
const { uuid: ops } = await store.channels.create(channel)
const check = await world.addCheck('Backup')
await world.send('GET', `/ping/${check}/fail`)
const incident = (await store.incidents.openIncident(check))!

const SIGNED = {
  'stops alerts': unsubscribePath(SECRET_KEY, ops, OPS),
  'confirms an address': `/integrations/${ops}/verify/${signAddressLink(SECRET_KEY, 'confirm-address', ops, OPS)}/`,
  'stops reports': unsubscribeReportsPath(SECRET_KEY, { userUuid: alice.uuid, email: alice.email }),
}

for (const [what, path] of Object.entries(SIGNED)) {
  test(`under a path, the button that ${what} leads to its own page`, async () => {
    const { text } = await world.stranger().get(path)
    assert.deepEqual([...text.matchAll(/<form method="post" action="([^"]*)"/g)].at(-1)?.[1], `/jobs${path}`)
  })
}

const own = (path: string) => `/projects/${project.uuid}/${path}`
const PAGES = [
  ...['checks/', 'log/', 'badges/', 'settings/', 'silences/', 'silences/add/', 'incidents/'].map(own),
  ...['integrations/', 'integrations/add/', 'integrations/add/email/', 'dependencies/', 'checks/add/'].map(
    own,
  ),
  own(`incidents/${incident}/`),
  '/incidents/',
  ...['details/', 'log/', 'edit/', 'pings/1/'].map(path => `/checks/${check}/${path}`),
  ...['', 'edit/'].map(path => `/integrations/${ops}/${path}`),
  '/accounts/profile/',
  '/tv/',
]

test('under a path, every address in the pages begins with it once', async () => {
  for (const path of PAGES) {
    const { status, text } = await alice.get(path)
    assert.equal(status, 200, path)
    const found = [...text.matchAll(/\s(?:href|src|action|formaction|data-live)="(\/[^"]*)"/g)]
    assert.ok(found.length > 0, path)
    const wrong = found.map(([, address]) => address!).filter(address => !/^\/jobs\/(?!jobs\/)/.test(address))
    assert.deepEqual(wrong, [], path)
  }
})
