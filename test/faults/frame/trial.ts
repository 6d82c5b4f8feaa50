/** One trial: the program on its database, a receiver of its messages, and checks that are pinged. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { addChannel } from '../../../src/actions/channels/add-channel.js'
import { createProject } from '../../../src/actions/projects/create-project.js'
import { openStore } from '../../../src/compose/store.js'
import { loadConfig } from '../../../src/config.js'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'
import type { Outage } from '../../../src/core/instance/outage.js'
import { systemClock } from '../../../src/lib/clock.js'
import { openSide, type Side } from '../../../src/storage/copy/side.js'
import type { Store } from '../../../src/storage/store.js'
import { type LedgerEntry, runId } from './ledger.js'
import { Load } from './load.js'
import type { Program } from './program.js'
import type { Arrival, Receiver } from './receiver.js'

/** The number of checks under load, and of clients that ping them. */
const BUSY_CHECKS = 40
const CLIENTS = 16

/** How long (ms) a client pauses after each ping: the short form leaves the processor to the other tests. */
const PAUSE_MS = { thorough: 5, short: 150 }

const YEAR_SECONDS = 31_536_000

/** The trial fails if something that it waits for takes longer. */
const TIME_LIMIT_MS = 120_000

/** The grace time of checks that fall silent: their ping is due this long before their deadline. */
export const GRACE_SECONDS = 60

/** Long enough to be an outage with a hold (more than 15 s: see core/instance/outage.ts). */
const ABSENCE_MS = 20_000
/** How much an instant of the load process may differ from the same instant in the program (ms). */
const SLACK_MS = 1_000

export type Figures = Record<string, string | number>

export class Trial {
  /** Every ping that was sent, and its answer. */
  readonly ledger: LedgerEntry[] = []
  /** The checks that the load pings. */
  busy: string[] = []
  /** Checks whose silence must be noticed, and those whose messages must say that the ping may have been missed. */
  readonly quiet: string[] = []
  readonly missed: string[] = []
  /** Further figures for the table. */
  readonly figures: Figures = {}
  /** How far (ms) the program's clock was ahead for a time: instants stored then have been corrected since. */
  clockStepMs = 0
  /** The slowest ping in quiet times (ms): what this machine needs for something that should take no time. */
  slowestMs = 0
  #projectId = 0
  #apiKey = ''
  #loads = 0
  #ownPings = 0
  #silent = 0

  constructor(
    readonly program: Program,
    readonly receiver: Receiver,
    /** The location of the database, as `copy` names it. */
    readonly database: string,
    readonly thorough: boolean,
  ) {}

  /** Creates a project whose channels lead to the receiver, starts the program and creates the busy checks. */
  async begin(): Promise<void> {
    await this.#withStore(async store => {
      const made = await createProject(store, systemClock, { name: 'Load', ownerEmail: null })
      this.#projectId = made.project.id
      this.#apiKey = made.apiKey
      await this.#addChannel(store, 'webhook', 'webhook', {
        url_down: `${this.receiver.url}/hook`,
        url_up: `${this.receiver.url}/hook`,
        method_down: 'POST',
        method_up: 'POST',
        body_down: '$CODE down $NOW',
        body_up: '$CODE up $NOW',
      })
      await this.#addChannel(store, 'mattermost', 'mattermost', { url: `${this.receiver.url}/chat` })
    })
    await this.program.start()
    // They never go down by themselves.
    const timing = { timeout: YEAR_SECONDS, grace: YEAR_SECONDS }
    for (let index = 0; index < BUSY_CHECKS; index++)
      this.busy.push(await this.newCheck(`busy-${index}`, timing))
  }

  /** Adds a channel to the project, and returns its UUID. */
  async addChannel(kind: string, name: string, settings: Record<string, string>): Promise<string> {
    return await this.#withStore(store => this.#addChannel(store, kind, name, settings))
  }

  /** Gives a check a policy of its own. */
  async usePolicy(check: string, rules: PolicyRules): Promise<void> {
    const asked = { ...rules, name: check, isDefault: false, now: this.program.now() }
    const { id } = await this.#withStore(store => store.incidents.createPolicy(this.#projectId, asked))
    await this.withDatabase(({ sql: db }) =>
      sql`UPDATE check_details SET policy_id = ${id}
        WHERE check_id = (SELECT id FROM checks WHERE uuid = ${check})`.execute(db),
    )
  }

  async #addChannel(
    store: Store,
    kind: string,
    name: string,
    settings: Record<string, string>,
  ): Promise<string> {
    const channel = { projectId: this.#projectId, kind, name, settings, asker: null, by: null }
    return (await addChannel(store, systemClock, channel)).uuid
  }

  /** In this process, because starting a command would take longer. */
  async #withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(loadConfig(this.program.env), { create: true })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }

  async newCheck(name: string, fields: object = {}): Promise<string> {
    const body = JSON.stringify({ name, channels: 'webhook', ...fields })
    const made = await this.callApi('POST', '/api/v3/checks/', body)
    assert.equal(made.status, 201, made.body)
    return JSON.parse(made.body).uuid
  }

  /** Calls the API with the project's key. */
  async callApi(method: string, path: string, body?: string) {
    return await this.program.call(method, path, body, { 'X-Api-Key': this.#apiKey })
  }

  /** Pings until `load.stop()`; the answers until then count. */
  startLoad(): Load & { settle(): Promise<void> } {
    this.#loads++
    const load = new Load({
      site: this.program.site,
      checks: this.busy,
      clients: CLIENTS,
      load: this.#loads,
      pauseMs: this.thorough ? PAUSE_MS.thorough : PAUSE_MS.short,
    })
    const settle = async () => {
      await load.stop()
      // One call with all entries could exceed the maximum number of arguments.
      for (const entry of load.entries) this.ledger.push(entry)
    }
    return Object.assign(load, { settle })
  }

  /**
   * Sends one ping, which counts as those of the load do, and returns the status of the answer; 0 if there was none.
   */
  async ping(check: string, action = ''): Promise<number> {
    const rid = runId(0, ++this.#ownPings)
    const from = performance.now()
    const answer = await this.program.call('POST', `/ping/${check}${action}?rid=${rid}`).catch(() => null)
    const ms = Math.round(performance.now() - from)
    const status = answer?.status ?? 0
    const refusal = status !== 200 &&
      answer && {
        text: answer.body,
        retryAfter: answer.headers.get('retry-after') ?? '',
      }
    this.ledger.push({ rid, check, status, ms, at: Date.now(), ...(refusal || {}) })
    return status
  }

  /** Sends the first ping of a check in quiet times. */
  async firstPing(check: string): Promise<void> {
    assert.equal(await this.ping(check), 200)
    this.slowestMs = Math.max(this.slowestMs, this.ledger.at(-1)!.ms)
  }

  /** A check that was pinged and falls silent: it goes down `inMs` from now. */
  async fallSilent(inMs: number): Promise<string> {
    const uuid = await this.newCheck(`quiet ${++this.#silent}`, {
      timeout: 60,
      grace: GRACE_SECONDS,
      channels: 'webhook,mattermost',
    })
    await this.firstPing(uuid)
    await this.setDeadlines([[uuid, this.program.now() + inMs]])
    this.quiet.push(uuid)
    return uuid
  }

  /** Sets back the pings of checks that are up, so that each goes down at its instant without a long wait. */
  async setDeadlines(deadlines: readonly (readonly [check: string, at: number])[]): Promise<void> {
    await this.withDatabase(async ({ sql: db }) => {
      for (const [uuid, at] of deadlines) {
        const { alert_after } = await db
          .selectFrom('checks')
          .select('alert_after')
          .where('uuid', '=', uuid)
          .executeTakeFirstOrThrow()
        const back = alert_after! - at
        await sql`UPDATE checks SET last_ping = last_ping - ${back}, status_since = status_since - ${back},
          due_at = due_at - ${back}, alert_after = alert_after - ${back}, wake_at = alert_after - ${back}
          WHERE uuid = ${uuid}`.execute(db)
        for (const table of ['pings', 'flips']) {
          await sql`UPDATE ${sql.table(table)} SET created_at = created_at - ${back}
            WHERE check_id = (SELECT id FROM checks WHERE uuid = ${uuid})`.execute(db)
        }
      }
    })
  }

  /** Lets the time of an outage pass: in reality in a thorough trial, otherwise by setting the clock. */
  async absence(): Promise<void> {
    if (this.thorough) return await sleep(ABSENCE_MS)
    this.program.setClock(this.program.now() - Date.now() + ABSENCE_MS)
    await sleep(100)
  }

  /** The outages that are recorded now. */
  async outages(): Promise<Outage[]> {
    const found = await this.withDatabase(({ sql: db }) => db.selectFrom('outages').selectAll().execute())
    return found.map(row => ({
      startedAt: row.started_at,
      endedAt: row.ended_at,
      holdUntil: row.hold_until,
      ...(row.part !== '' && { part: row.part }),
    }))
  }

  /** Fails unless each of these instants (ms) is within a recorded outage: short ones close together are one. */
  async assertOnRecord(instants: readonly number[]): Promise<void> {
    const outages = await this.outages()
    for (const at of instants) {
      const covers = ({ startedAt, endedAt }: Outage) =>
        startedAt <= at + SLACK_MS && endedAt >= at - SLACK_MS
      assert.ok(
        outages.some(covers),
        `what was refused at ${at} is not on record: ${JSON.stringify(outages)}`,
      )
    }
  }

  /** The messages about a check through the webhook. */
  arrivals(check: string, status: 'up' | 'down'): Arrival[] {
    return this.receiver.arrivals.filter(
      ({ path, body }) => path === 'hook' && body.startsWith(`${check} ${status} `),
    )
  }

  /** Waits for the message that a check is down or up, and returns the first. */
  async waitForMessage(check: string, status: 'up' | 'down'): Promise<Arrival> {
    return await this.eventually(
      `the message that a check is ${status}`,
      () => this.arrivals(check, status)[0],
    )
  }

  /** The program works: it records pings, sends a down alert and a recovery, and notices silence. */
  async proveAlive(): Promise<void> {
    const check = await this.newCheck(`alive-${this.#ownPings}`)
    for (const [action, status] of [
      ['/fail', 'down'],
      ['', 'up'],
    ] as const) {
      assert.equal(await this.ping(check, action), 200)
      await this.waitForMessage(check, status)
    }
    await this.waitForMessage(await this.fallSilent(500), 'down')
  }

  /** Waits until an alert about every silent check was sent and no delivery is left. */
  async settled(): Promise<void> {
    for (const check of this.quiet) await this.waitForMessage(check, 'down')
    await this.withDatabase(({ sql: db }) =>
      this.eventually('an end of the deliveries', async () => {
        const left = await db.selectFrom('deliveries').select('id').limit(1).executeTakeFirst()
        return left ? null : true
      }),
    )
  }

  async eventually<T>(what: string, question: () => T | null | undefined | Promise<T | null | undefined>) {
    const from = performance.now()
    while (performance.now() - from < TIME_LIMIT_MS) {
      const answer = await question()
      if (answer !== null && answer !== undefined) return answer
      await sleep(50)
    }
    throw new Error(`waited in vain for ${what}; the program contents: ${this.program.log().slice(-1000)}`)
  }

  async withDatabase<T>(work: (side: Side) => Promise<T>): Promise<T> {
    const side = await openSide(this.database, { create: false })
    try {
      return await work(side)
    } finally {
      await side.close()
    }
  }
}
