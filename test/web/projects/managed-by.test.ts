/** What files of configuration own is marked on pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyConfig } from '../../../src/actions/projects/config/apply-config.js'
import { planConfig } from '../../../src/actions/projects/config/plan-config.js'
import { readConfig } from '../../../src/actions/projects/config/read-config.js'
import { plainApplier } from '../../_support/config/plain-applier.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const { alice, project, store, clock } = await openWebWorld()

test('the pages and forms of what a file owns name the file, and no others', async () => {
  const document = {
    channels: { chat: { kind: 'webhook', url_down: 'https://example.org/hook' } },
    policies: { people: { steps: [{ after: 0 }] } },
    checks: { nightly: {} },
    silences: {
      sundays: {
        scope: { checks: ['nightly'] },
        when: { cron: '0 2 * * 0', duration: '2h', from: '2030-01-01T00:00:00Z' },
      },
    },
  }
  const other = await store.checks.create(project.id, {
    changes: { name: 'By hand' },
    unique: null,
    now: clock.now(),
  })
  const asked = { projectId: project.id, document, owner: 'home<.yaml', prune: false, maxDeletes: null }
  const planned = await planConfig(store, clock, asked)
  assert.deepEqual(planned.plan.problems, [])
  await applyConfig(store, clock, { ...planned, ...asked }, plainApplier)
  const { objects } = await readConfig(store, project.id, clock.now())
  const ref = (section: keyof typeof objects) => objects[section].find(({ owner }) => owner !== null)!.ref
  const home = `/projects/${project.uuid}`
  for (const path of [
    `/checks/${ref('checks')}/details/`,
    `/checks/${ref('checks')}/edit/`,
    `/integrations/${ref('channels')}/`,
    `/integrations/${ref('channels')}/edit/`,
    `${home}/policies/${ref('policies')}/edit/`,
    `${home}/silences/${ref('silences')}/edit/`,
  ]) {
    const { status, text } = await alice.get(path)
    assert.equal(status, 200, path)
    assert.match(wordsOf(text), /Managed by the file home&lt;\.yaml/, path)
    assert.doesNotMatch(text, /home<\.yaml/, path)
  }
  for (const path of [
    `/checks/${other.check.uuid}/edit/`,
    `${home}/checks/add/`,
    `${home}/policies/add/`,
    `${home}/silences/add/`,
  ]) {
    const { status, text } = await alice.get(path)
    assert.deepEqual([status, text.includes('Managed by')], [200, false], path)
  }
})
