/**
 * Random histories of trouble: processes that fail to record pings, freeze, end in order or are killed, and start again;
 * in later ones the clock is set back, too, and senders who are refused come again later; in others pings to very many checks
 * of a project are refused, alone or besides.
 * Jobs ping one second before their deadline and every second until they are heard; other checks are silent.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { declareDown } from '../../src/actions/alerts/declare-down.js'
import { PingQueue } from '../../src/actions/pings/record-pings.js'
import type { CheckOfProject } from '../../src/core/pings/arrived-ping.js'
import { beatJob } from '../../src/jobs/beat.js'
import { Changes } from '../../src/lib/changes.js'
import { numRuns } from '../_support/histories/num-runs.js'
import { engine, type FreshStore, openFreshStore } from '../_support/worlds/store.js'
import { StoreHarness } from '../_support/worlds/store-harness.js'
import { wrapStore } from '../_support/wrap-store.js'

const S = 1_000
const TIMEOUT_AND_GRACE = 25 * 3_600 * S
const MAX_HOLD = 60 * S

/** Trouble ends after so many seconds; what was held is known so much later. */
const TROUBLED = 200
const CALM = 120

/** So many seconds a sender who was refused waits where the clock is set back, and so many go by before a kill is noticed. */
const COMES_AGAIN_AFTER = 15
const SENT_TO_KILLED = 3

/** So many checks that exist nowhere else are refused with a job's ping: their project becomes one part of the checks. */
const REFUSED_WITH_IT = 150

/** A check of a project in which nothing happens is alerted so many seconds after its deadline at most, if only pings of others are refused. */
const PROMPT = 2

/** So far that every ping came, by the clock before, after the present by the clock then: all deadlines move with it. */
const STEP_BACK_MS = 3 * 86_400 * S

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What a process asks of the database, until all of it is answered. */
let open = 0
async function idle(): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet++) {
    await setImmediate()
    if (open > 0) quiet = 0
  }
}

/** A process that takes pings and notices silence. */
async function startProcess(t: TestContext, scene: StoreHarness, name: string) {
  const broken = new Set<string>()
  let killed = false
  const refuse = () => Promise.reject(Object.assign(new Error('the disk is full'), { code: '53100' }))
  const store = wrapStore(scene.store, (name, method) => (...args) => {
    open++
    return (killed || broken.has(name) ? refuse() : method(...args)).finally(() => open--)
  })
  const clock = { now: () => scene.now }
  const changes = new Changes()
  const pings = new PingQueue(store, changes, assert.fail, undefined, clock)
  const nothing = () => {}
  const parts = { store, pings, changes, clock, process: name, watches: true }
  const job = beatJob({ ...parts, onOutage: nothing, onError: nothing })
  await job.start()
  t.after(() => job.stop())
  const own = { process: name, pings }
  return {
    broken,
    /** The process does nothing before this instant. */
    frozenUntil: 0,
    /** Before this second it refuses pings to Alice's project, and to another. */
    refusesUntil: 0,
    ping: (slug: string) => pings.record(scene.arrived(slug)).then(Boolean, () => false),
    /** Refuses pings to these checks, while others are recorded. */
    refuse: (checks: readonly CheckOfProject[]) => pings.hearing.refused(checks, scene.now),
    watch: () => declareDown({ store, own, clock, onBug: assert.fail }).catch(nothing),
    async stop() {
      pings.hearing.close(scene.now)
      await job.stop()
    },
    async kill() {
      killed = true
      await job.stop()
    },
  }
}

/** The checks that were declared down; pages may judge differently for a while. */
async function downChecks(raw: FreshStore['raw']): Promise<string[]> {
  const rows = await raw(
    "SELECT d.slug FROM checks c JOIN check_details d ON d.check_id = c.id WHERE c.status = 'down'",
  )
  return rows.map(({ slug }) => slug as string)
}

// Each engine plays other ones, since a history takes seconds, and more of them in the long form.
const known = engine === 'sqlite' ? [1, 3, 7, 9, 13, 15, 5, 11, 17] : [2, 4, 8, 10, 14, 16, 6, 12, 18]
for (const seed of known.slice(0, numRuns(6, 9))) {
  const setsBack = seed > 6 && seed <= 12
  const refuses = seed > 12
  const onlyRefuses = seed === 13 || seed === 14
  const what = setsBack ? 'the clock does' : refuses ? 'pings are refused' : 'happens'
  test(`whatever ${what}, no job that pinged is alerted, and every silent check is (${seed})`, async t => {
    const { store, raw, remove } = await openFreshStore({ outageHoldMs: MAX_HOLD })
    t.after(remove)
    const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const scene = new StoreHarness(store, id)
    const bob = await store.projects.create({ name: 'Bob', ownerId: null, pingKey: 'bob', now: 1 })
    const random = numbersOf(seed)
    const from = scene.now
    // Every fifth second has a deadline; every fourth of those checks is silent.
    const checks = Array.from({ length: 36 }, (_, n) => ({
      slug: `${n % 4 === 3 ? 'silent' : 'job'}-${n}`,
      at: from + (n + 4) * 5 * S,
      heard: n % 4 === 3,
      comesAt: 0,
    }))
    for (const { slug, at } of checks) {
      scene.now = at
      await scene.ping(slug)
      if (onlyRefuses) await new StoreHarness(store, bob.id, at, 'bob').ping(`calm-${slug}`)
    }
    const ids = new Map(
      (await raw('SELECT check_id, slug FROM check_details')).map(row => [row.slug, Number(row.check_id)]),
    )
    /** The check, and many others of its project and of another one. */
    const refusedWith = (slug: string): CheckOfProject[] => [
      { checkId: ids.get(slug)!, projectId: id },
      ...Array.from({ length: 2 * REFUSED_WITH_IT }, (_, n) => ({
        checkId: 1_000_000 + n,
        projectId: n < REFUSED_WITH_IT ? id : bob.id + 1,
      })),
    ]
    t.mock.timers.enable({ apis: ['setInterval'] })
    let begin = from + TIMEOUT_AND_GRACE
    let elapsed = 0
    t.mock.method(performance, 'now', () => elapsed)
    let started = 0
    const start = () => startProcess(t, scene, `process ${++started}`)
    scene.now = begin
    let running = [await start()]
    if (onlyRefuses) running.push(await start())
    const setClockBack = () => {
      begin -= STEP_BACK_MS
      for (const check of checks) check.at -= STEP_BACK_MS
      for (const process of running) process.frozenUntil -= STEP_BACK_MS
    }
    const happen = async (process: (typeof running)[number]) => {
      if (refuses && (onlyRefuses || random() < 0.5)) {
        process.refusesUntil = elapsed / S + Math.ceil(random() * 12)
        return
      }
      // Where the clock is set back only kills: those who send to a process that stopped beside another are refused, too.
      const what = setsBack ? 0.6 + random() * 0.2 : random()
      if (what < 0.25) process.broken.add('pings.record').add('pings.probe')
      else if (what < 0.4) process.broken.add('pings.record').add('pings.probe').add('instance.beat')
      else if (what < 0.6) process.frozenUntil = scene.now + Math.ceil(random() * 12) * S
      else {
        running = running.filter(one => one !== process)
        await (what < 0.8 ? process.kill() : process.stop())
      }
    }
    let troubleAt = Number.NEGATIVE_INFINITY
    for (let second = 0; second < TROUBLED + CALM; second++) {
      const isCalm = second >= TROUBLED
      // Most often just after something happened that is not on record yet; somebody runs who knows how far it is.
      const chance = second - troubleAt < 8 ? 0.2 : 0.01
      if (setsBack && !isCalm && running.length > 0 && random() < chance) setClockBack()
      elapsed = second * S
      scene.now = begin + elapsed
      for (const process of isCalm ? [] : [...running]) {
        if (random() >= (setsBack ? 0.02 : 0.06)) continue
        troubleAt = second
        await happen(process)
      }
      for (const { broken } of running) if (isCalm || random() < 0.2) broken.clear()
      if (
        running.length === 0
          ? isCalm || random() < 0.3
          : running.length < 2 && random() < (setsBack ? 0.1 : 0.03)
      ) {
        running.push(await start())
      }
      const awake = running.filter(process => process.frozenUntil <= scene.now)
      if (awake.length === running.length) t.mock.timers.tick(S)
      await idle()
      for (const check of checks) {
        const deadline = check.at + TIMEOUT_AND_GRACE
        if (check.heard || scene.now < deadline - S || second < check.comesAt) continue
        const isRefused = awake.length === 0 || (second - troubleAt < SENT_TO_KILLED && random() < 0.5)
        if (setsBack && isRefused) check.comesAt = second + COMES_AGAIN_AFTER
        if (awake.length === 0 || (setsBack && isRefused)) continue
        const process = awake[Math.floor(random() * awake.length)]!
        if (second < process.refusesUntil) process.refuse(refusedWith(check.slug))
        else check.heard = await process.ping(check.slug)
      }
      await idle()
      for (const process of awake) await process.watch()
      await idle()
      const down = await downChecks(raw)
      const alerted = down.filter(slug => slug.startsWith('job'))
      assert.deepEqual(alerted, [], `a false alarm after ${second} s`)
      const calm = down.filter(slug => slug.startsWith('calm')).length
      const over = checks.filter(({ at }) => at + TIMEOUT_AND_GRACE <= scene.now - PROMPT * S).length
      assert.ok(
        !onlyRefuses || calm >= over,
        `${calm} of ${over} are alerted of a project without trouble after ${second} s`,
      )
    }
    const silent = (await downChecks(raw)).filter(slug => slug.startsWith('silent'))
    assert.equal(silent.length, checks.length / 4)
  })
}
