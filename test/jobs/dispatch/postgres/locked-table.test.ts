/** A table that somebody else locks for longer than claims last: no process takes over what another one has already sent. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkSettings } from '../../../../src/integrations/fields.js'
import { webhook } from '../../../../src/integrations/kinds/webhook/webhook.js'
import { LEASE_MS } from '../../../../src/jobs/dispatch/claims-in-hand.js'
import { openPostgresStore } from '../../../../src/storage/postgres/open.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { eventually } from '../../../_support/eventually.js'
import { freshDatabase } from '../../../_support/postgres.js'
import { onOneServer } from '../../../_support/servers/postgres-server.js'
import { openRecorder } from '../../../_support/servers/recorder.js'
import { startDispatcher } from '../../../_support/worlds/dispatcher.js'
import { testSettings } from '../../../_support/worlds/store.js'

const PROJECTS = Array.from({ length: 20 }, (_, i) => `project-${i}`)

async function openScene(t: TestContext) {
  const database = await freshDatabase()
  const open = () => openPostgresStore(database.url, testSettings, { create: false })
  const [store, other] = [await open(), await open()]
  t.after(async () => {
    await store.close()
    await other.close()
    await database.drop()
  })
  const answers: (() => void)[] = []
  const receiver = await openRecorder(t, (_, response) => {
    if (answers.length === PROJECTS.length) return {}
    answers.push(() => response.end())
    return undefined
  })
  for (const name of PROJECTS) {
    const project = await store.projects.create({ name, ownerId: null, pingKey: name, now: 1 })
    const settings = checkSettings(webhook, { url_down: `${receiver.url}/${name}/$NAME` })
    const channel = { projectId: project.id, name, kind: 'webhook', settings, members: [], now: 1 }
    await store.channels.create(channel)
  }
  const targets = PROJECTS.map(pingKey => ({ pingKey, slug: 'job', create: true }))
  await store.pings.record(targets.map(target => arrivedPing(target, Date.now(), { action: 'fail' })))
  const lock = async (mode: string) => {
    const client = new pg.Client({ connectionString: database.directUrl })
    await client.connect()
    await client.query(`BEGIN; LOCK TABLE deliveries IN ${mode} MODE`)
    return () => client.end()
  }
  const waiting = async () => Number((await database.ask('SELECT count(*) AS n FROM deliveries'))[0]!.n)
  return { store, other, receiver, answers, count: targets.length, lock, waiting }
}

for (const mode of ['ACCESS EXCLUSIVE', 'EXCLUSIVE']) {
  test(`messages are sent once if they are settled after a lock in ${mode} mode`, onOneServer, async t => {
    const { store, other, receiver, answers, count, lock, waiting } = await openScene(t)
    const one = startDispatcher({ store }, 'one')
    let two = null
    try {
      await eventually(
        () => answers.length === count,
        () => `${answers.length} ${one.errors}`,
      )
      const release = await lock(mode)
      for (const answer of answers) answer()
      two = startDispatcher({ store: other }, 'two')
      await sleep(LEASE_MS.small + 3_000)
      await release()
      await eventually(async () => (await waiting()) === 0)
    } finally {
      await one.stop()
      await two?.stop()
    }
    assert.equal(receiver.requests.length, count)
  })
}
