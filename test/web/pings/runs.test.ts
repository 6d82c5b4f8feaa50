/** The runs of a check on its page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Settings } from '../../../src/core/checks/check-fields.js'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, clock, store } = world
const bytes = (text: string) => new TextEncoder().encode(text)

async function subject(name: string, changes: Partial<Settings> = {}) {
  const uuid = await world.addCheck(name)
  await store.checks.update(world.project.id, uuid, { changes, now: clock.now() })
  const ping = (action: 'start' | 'success' | 'fail' | 'log', more = {}) =>
    pingCheck(world, uuid, action, more)
  return { uuid, ping }
}

/** The rows of the list, each as words, and what one shows when it is opened. */
async function listed(uuid: string, query = '') {
  const { text } = await alice.get(`/checks/${uuid}/details/${query}`)
  const list = /<ol class="runs"[\s\S]*?<nav class="pager"/.exec(text)![0]
  const rows = list.split('class="run-row"').slice(1)
  const older = /details\/(\?[^"#]*)#runs">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  return {
    rows: rows.map(row =>
      wordsOf(`<p ${row.split(/<\/summary>|<\/li>/)[0]!}`.replaceAll('><', '> <'))
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    opened: rows.map(row => [...row.matchAll(/class="event-n">#(\d+)</g)].map(match => Number(match[1]))),
    older,
  }
}

test('one row a run says when it began, how long it took, how it ended, and the first line of what went wrong', async () => {
  const { uuid, ping } = await subject('Rows', {
    trackRuns: 'each',
    maxDurationSeconds: 120,
    minDurationSeconds: 10,
  })
  await ping('success')
  await ping('start', { rid: 'aaaaaaaa-0000-4000-8000-000000000000' })
  clock.advance(130)
  await store.alerts.declareDown(clock.now(), 100, null)
  await ping('start')
  clock.advance(20)
  await ping('log', { body: bytes('halfway') })
  clock.advance(10)
  await ping('fail', { exitStatus: 3, body: bytes('\n  disk full on /dev/sda1\nmore') })
  await ping('start')
  clock.advance(5)
  await ping('success', { exitStatus: 0 })
  clock.advance(60)
  await ping('start')
  clock.advance(7)
  const { rows, opened } = await listed(uuid)
  assert.match(rows[0]!, /Running 7 s/)
  assert.match(rows[1]!, /Too short 5 s .*at least 10 seconds expected/)
  assert.match(rows[2]!, /Exit status 3 30 s .*disk full on \/dev\/sda1$/)
  assert.match(rows[3]!, /Ran too long did not end within 2 minutes aaaaaaaa$/)
  assert.match(rows[4]!, /OK/)
  assert.deepEqual(opened, [[8], [6, 7], [3, 4, 5], [2], [1]])
})

test('an occurrence for which nothing came stands between the runs', async () => {
  const { uuid, ping } = await subject('Gaps', { failuresToAlert: 3, tolerated: 'missed' })
  await ping('success')
  clock.advance(86_400 + 3_600)
  await store.alerts.declareDown(clock.now(), 100, null)
  clock.advance(60)
  await ping('success')
  const { rows } = await listed(uuid)
  assert.deepEqual(
    rows.map(row => /OK|Missed.*no ping by/.exec(row)?.[0].slice(0, 6)),
    ['OK', 'Missed', 'OK'],
  )
  const plain = await subject('Plain gaps')
  await plain.ping('success')
  clock.advance(2 * 86_400)
  await store.alerts.declareDown(clock.now(), 100, null)
  assert.match((await listed(plain.uuid)).rows[0]!, /Missed.*no ping by/)
})

test('pages of runs follow each other, each row once, what was missed too', async () => {
  const { uuid, ping } = await subject('Pages')
  for (let run = 0; run < 60; run++) {
    await ping('start')
    clock.advance(60)
    await ping('success')
    clock.advance(run % 20 === 19 ? 2 * 86_400 : 3_000)
    if (run % 20 === 19) await store.alerts.declareDown(clock.now(), 100, null)
  }
  const all: number[][] = []
  let missed = 0
  for (let query = ''; ; ) {
    const { rows, opened, older } = await listed(uuid, query)
    assert.ok(rows.length <= 28)
    all.push(...opened.filter(pings => pings.length > 0))
    missed += rows.filter(row => row.includes('Missed')).length
    if (older === undefined) break
    query = older
  }
  assert.deepEqual(
    all,
    Array.from({ length: 60 }, (_, place) => [119 - 2 * place, 120 - 2 * place]),
  )
  assert.equal(missed, 3)
})

test('what does not say where a page begins shows the newest runs', async () => {
  const { uuid, ping } = await subject('Odd')
  await ping('success')
  for (const query of ['?before=0', '?before=x', '?before=-1', '?before=99999999999', '?before=9999999999']) {
    assert.equal((await listed(uuid, query)).rows.length, 1, query)
  }
  assert.equal((await listed(uuid, '?before=1')).rows.length, 0)
})
