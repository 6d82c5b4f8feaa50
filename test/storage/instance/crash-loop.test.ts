/** A process that is killed soon after each start, again and again, though it takes pings in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Doubt } from '../../../src/core/instance/absences.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const S = 1_000
const HOUR = 3_600 * S
const LIMIT = 15 * S

/** A process is away for so long before it starts again. */
const AWAY = 1_500

/** How long a process that was killed may be waited for, until it is known that it will not beat again. */
const UNKNOWN = 8_500

for (const life of [2 * S, 4 * S, 6 * S, 9 * S, 12 * S]) {
  test(`a process killed ${life / S} s after each start still notices silence`, async t => {
    const { store, raw, remove } = await openFreshStore({ outageHoldMs: LIMIT })
    t.after(remove)
    const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const scene = new StoreHarness(store, id)
    await scene.ping('silent')
    const deadline = scene.now + 25 * HOUR
    const heard: number[] = []
    const starts: number[] = []
    let alertedAt: number | null = null
    let at = deadline - 5 * (life + AWAY)
    await store.instance.beat('killed', at)
    while (alertedAt === null && at < deadline + 300 * S) {
      at += AWAY
      starts.push(at)
      const name = `process ${starts.length}`
      let doubt: Doubt | null = null
      for (let lived = 0; lived <= life && alertedAt === null; lived += S) {
        const now = at + lived
        const phase = lived === 0 || doubt ? ('starting' as const) : undefined
        ;({ doubt } = await store.instance.beat(name, now, { phase, doubt }))
        const own = { process: name, heardUntil: doubt?.from ?? now }
        if ((await store.alerts.declareDown(now, 10, own)).declared > 0) alertedAt = now
        if (lived < life) heard.push(now + 1)
      }
      at += life
    }
    assert.ok(alertedAt, 'the alert came')
    const awayMs = starts.filter(start => start > deadline && start <= alertedAt).length * AWAY
    const waited = alertedAt - deadline - awayMs
    assert.ok(waited <= 2 * LIMIT + UNKNOWN, `it came after ${waited} ms in which pings were taken`)
    const outages = await raw('SELECT started_at, ended_at, heard_ms FROM outages')
    assert.ok(outages.length > 0)
    for (const outage of outages) {
      const [from, to] = [Number(outage.started_at), Number(outage.ended_at)]
      const within = heard.filter(ping => ping > from && ping < to).length
      assert.ok(within * S <= Number(outage.heard_ms), `${within} pings, ${outage.heard_ms} ms`)
    }
    // What no process heard is on record, but for what is not known yet.
    for (const start of starts.filter(one => one < alertedAt - UNKNOWN - AWAY)) {
      const isIn = ({ started_at, ended_at }: Record<string, unknown>) =>
        Number(started_at) <= start - AWAY && Number(ended_at) >= start
      assert.ok(outages.some(isIn), `the time before ${start}`)
    }
  })
}
