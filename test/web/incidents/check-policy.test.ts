/** The policy of a check: in its form, and on its page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyStep } from '../../../src/core/incidents/policy.js'
import { listenLive } from '../../_support/servers/live-stream.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, rita, charlie, store, clock, project } = world
const CHECKS = `/projects/${project.uuid}/checks/`

async function channelOf(name: string): Promise<string> {
  const made = { projectId: project.id, name, kind: 'webhook', settings: {}, members: [], now: clock.now() }
  return (await store.channels.create(made)).uuid
}
async function policyOf(name: string, steps: PolicyStep[], projectId = project.id, isDefault = false) {
  const made = { name, steps, isDefault, repeat: null, now: clock.now() }
  return (await store.incidents.createPolicy(projectId, made)).id
}
const OWN: PolicyStep = { after: 0, channels: 'check' }
const typed = { name: 'Backup', kind: 'simple', period: '1 day', grace: '1 hour' }
const page = async (uuid: string) => wordsOf((await rita.get(`/checks/${uuid}/details/`)).text)

test('a check without policies in its project has no word of them', async () => {
  const uuid = await world.addCheck('Plain')
  assert.doesNotMatch((await alice.get(`/checks/${uuid}/edit/`)).text, /name="policy"/)
  assert.doesNotMatch((await rita.get(`/checks/${uuid}/details/`)).text, /check-policy/)
})

test('a policy is chosen in the form of a check, and the page says whom it alerts', async () => {
  const phone = await channelOf('On-call phone')
  const id = await policyOf('On call', [OWN, { after: 900, channels: [phone] }])
  const { location } = await alice.post(`${CHECKS}add/`, { ...typed, policy: String(id) })
  const uuid = location!.split('/')[2]!
  assert.equal(await store.incidents.policyOf(uuid), id)
  assert.match(
    await page(uuid),
    /Policy On call: At once: On-call phone\. After 15 minutes, if nobody has acknowledged: On-call phone\./,
  )
  assert.match(
    (await rita.get(`/checks/${uuid}/details/`)).text,
    new RegExp(`href="[^"]*/policies/#policy-${id}"`),
  )
  const edit = `/checks/${uuid}/edit/`
  assert.match((await alice.get(edit)).text, new RegExp(`<option value="${id}" selected`))
  const preview = await alice.post(edit, { ...typed, policy: '', preview: '1' })
  assert.doesNotMatch(preview.text, new RegExp(`<option value="${id}" selected`))
  assert.equal((await alice.post(edit, typed)).status, 303)
  assert.equal(await store.incidents.policyOf(uuid), id, 'a form without the choice changes nothing')
  assert.equal((await alice.post(edit, { ...typed, policy: '' })).status, 303)
  assert.equal(await store.incidents.policyOf(uuid), null)
  await store.incidents.deletePolicy(project.id, id, clock.now())
})

test('a policy of another project, or that is gone, is refused at the field', async () => {
  const uuid = await world.addCheck('Theirs')
  await policyOf('Nights', [OWN])
  const foreign = await policyOf('Hers', [OWN], world.charlies.id)
  for (const policy of [String(foreign), '99999999', 'x']) {
    for (const path of [`/checks/${uuid}/edit/`, `${CHECKS}add/`]) {
      const { status, text } = await alice.post(path, { ...typed, policy })
      assert.equal(status, 400)
      assert.match(wordsOf(text), /There is no such policy in the project\./)
      assert.match(text, /value="Backup"/)
    }
  }
  assert.equal(
    (await charlie.post(`/checks/${uuid}/edit/`, { ...typed, policy: String(foreign) })).status,
    404,
  )
  assert.equal((await rita.post(`/checks/${uuid}/edit/`, { ...typed, policy: '' })).status, 403)
})

test('a check has the default of its project, whose form says so', async () => {
  const uuid = await world.addCheck('By default')
  await policyOf('Days', [OWN], project.id, true)
  assert.match(await page(uuid), /Policy Days, the default: /)
  assert.match(
    (await alice.get(`/checks/${uuid}/edit/`)).text,
    /<option value="" selected[^>]*>The default: Days/,
  )
})

test('a check without integrations of its own says that its policy alerts nobody', async () => {
  const uuid = await world.addCheck('Alone')
  await store.checks.update(project.id, uuid, { changes: {}, channels: '', now: clock.now() })
  const words = await page(uuid)
  assert.match(
    words,
    /It alerts the integrations of the check, but this one has none, so nobody is alerted\./,
  )
})

test('an open page of a check shows another policy without a reload', async () => {
  const uuid = await world.addCheck('Live')
  const stream = await listenLive(world.root, alice, `/checks/${uuid}/live/`)
  await stream.event()
  await policyOf('Later', [OWN, { after: 60, channels: 'check' }], project.id, true)
  const { elements } = (await stream.event()) as { elements: Record<string, string> }
  assert.match(wordsOf(elements.integrations!), /Policy Later, the default/)
  stream.close()
})
