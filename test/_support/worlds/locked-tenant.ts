/** A project of a test that locks rows of another one: in each round it has checks of its own, which get pings of all kinds. */
import assert from 'node:assert/strict'
import { recordMail } from '../../../src/actions/pings/record-mail.js'
import type { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { Settings } from '../../../src/core/checks/check-fields.js'
import type { ArrivedPing, PingOutcome } from '../../../src/core/pings/arrived-ping.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { webhook } from '../../../src/integrations/kinds/webhook/webhook.js'
import { appendTo } from '../../../src/lib/append-to.js'
import { arrivedPing } from '../arrived-ping.js'
import type { Recorder } from '../servers/recorder.js'
import type { LockedRows } from './locked-rows.js'
import type { StoreHarness } from './store-harness.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A check of each round. */
interface Role {
  settings?: Partial<Settings>
  /** What it has recorded before the lock, and how long ago (ms). */
  before: [action: ArrivedPing['action'], agoMs?: number][]
  /** The role of the check on which it depends. */
  parent?: string
}

const TWO_MINUTES = { periodSeconds: 60, graceSeconds: 60 }
const ROLES: Record<string, Role> = {
  plain: { before: [['success']] },
  fails: { before: [['success']] },
  reopens: { before: [['fail'], ['success']] },
  recovers: { before: [['fail']] },
  runs: { settings: { trackRuns: 'each' }, before: [['success']] },
  exits: { before: [['success']] },
  late: { before: [['success', MINUTE]] },
  full: {
    before: [
      ['fail', HOUR],
      ['success', HOUR],
    ],
  },
  mailed: { settings: { filterSubject: true, failureKw: 'FAILED' }, before: [['success']] },
  quiet: { settings: { tags: 'quiet' }, before: [['success']] },
  off: { settings: { tags: 'off', ...TWO_MINUTES }, before: [['success', 2 * MINUTE]] },
  silent: { settings: TWO_MINUTES, before: [['success', 2 * MINUTE]] },
  stepped: { before: [['fail', HOUR]] },
  gateway: { before: [['fail']] },
  leaf: { parent: 'gateway', before: [['fail']] },
  router: { before: [['success', MINUTE]] },
  child: { parent: 'router', settings: { dependsWaitSeconds: 600 }, before: [['fail']] },
}

/** The alerts of what a round has recorded before, by the place of the ping. */
const ALERTS_BEFORE = [
  ['reopens', 'recovers', 'full', 'stepped', 'gateway'].map(role => `own/down/${role}`),
  ['reopens', 'full'].map(role => `own/up/${role}`),
]

/** The alerts of a round: of its pings, of silence, of a step, and of a check that waited for the ping of another one. */
const ALERTS = [
  ...['fails', 'reopens', 'exits', 'mailed', 'new', 'silent', 'child'].map(role => `own/down/${role}`),
  ...['recovers', 'gateway'].map(role => `own/up/${role}`),
  ...['phone/down/stepped', 'member/down/fails'],
]

/** A ping: the role of its check, and how it names it, if not by UUID. */
type Sent = [role: string, fields: Partial<ArrivedPing>, how?: 'slug' | 'create' | 'mail']

const BODY = Buffer.from('It is done.')

/** The pings of a round: those that come at once, and those that follow. */
export const WAVES: readonly Sent[][] = [
  [
    ['plain', { body: BODY }],
    ['fails', { action: 'fail', body: BODY, method: 'POST' }],
    ['reopens', { action: 'fail' }],
    ['recovers', {}],
    ['runs', { action: 'start', rid: 'a' }],
    ['exits', { exitStatus: 3 }],
    ['late', { ranAt: -30 * SECOND }],
    ['full', {}],
    ['quiet', { action: 'fail' }],
    ['gateway', {}],
    ['router', {}, 'slug'],
    ['new', { action: 'fail' }, 'create'],
    ['mailed', {}, 'mail'],
  ],
  [
    ['plain', { action: 'log' }, 'slug'],
    ['plain', {}],
    ['fails', { action: 'log' }],
    ['runs', { rid: 'a', durationMs: 5 }],
    ['exits', { action: 'start' }],
    ['full', {}],
    ['new', { action: 'log' }, 'slug'],
    ['mailed', { action: 'log' }],
    ['mailed', {}, 'mail'],
  ],
]

/** A clock that stands still until it is moved. */
export class StillClock {
  constructor(private at: number) {}

  readonly now = () => this.at

  pass(ms: number): void {
    this.at += ms
  }
}

/** What all projects of the test use. */
interface Shared {
  clock: StillClock
  queue: PingQueue
  receiver: Recorder
  query: LockedRows['query']
}

export class LockedTenant {
  /** By slug: the UUIDs of its checks, and the logs that follow from what was sent. */
  readonly #checks = new Map<string, string>()
  readonly #logs = new Map<string, string[]>()

  private constructor(
    readonly scene: StoreHarness,
    private readonly names: { name: string; pingKey: string },
    private readonly shared: Shared,
    /** Two channels: its own, and a group. */
    private readonly channels: { own: string; group: string },
  ) {}

  /** Gives a project an owner, channels that send to the receiver, a policy and silences. */
  static async open(
    scene: StoreHarness,
    names: LockedTenant['names'],
    shared: Shared,
  ): Promise<LockedTenant> {
    const { store, projectId, now } = scene
    const person = { email: `${names.name}@example.org`, passwordHash: null, emailProven: true, now }
    const { id: owner } = await store.people.createUser(person)
    await shared.query(`UPDATE projects SET owner_id = ${owner} WHERE id = ${projectId}`)
    const add = (channel: string) => {
      const url = (direction: string) => `${shared.receiver.url}/${names.name}/${channel}/${direction}/$NAME`
      return scene.addChannel(channel, checkSettings(webhook, { url_down: url('down'), url_up: url('up') }))
    }
    const [own, phone, member] = [await add('own'), await add('phone'), await add('member')]
    const group = await scene.addChannel('group', {}, [member.uuid])
    const steps = [
      { after: 0, channels: 'check' as const },
      { after: HOUR / SECOND, channels: [phone.uuid] },
    ]
    const policy = { name: 'On call', isDefault: true, steps, repeat: null, now }
    await store.incidents.createPolicy(projectId, policy)
    for (const [tag, mode] of [
      ['quiet', 'hold'],
      ['off', 'expect_nothing'],
    ] as const) {
      const times = { kind: 'once' as const, from: null, to: now + 24 * HOUR }
      const silence = { mode, scope: { tags: [tag] }, channels: null, times, reason: '', createdBy: 'me' }
      await store.silences.create(projectId, { ...silence, now: now - 24 * HOUR })
    }
    return new LockedTenant(scene, names, shared, { own: own.uuid, group: group.uuid })
  }

  /** Adds the checks of a round. */
  async addChecks(round: string): Promise<void> {
    const { store, projectId } = this.scene
    const add = async (role: string) => {
      const slug = `${role}-${round}`
      const { settings = {}, parent } = ROLES[role]!
      const { check } = await store.checks.create(projectId, {
        changes: { name: slug, slug, ...settings },
        unique: null,
        channels: role === 'fails' ? Object.values(this.channels).join(',') : this.channels.own,
        ...(parent && { parents: [this.#uuid(parent, round)] }),
        now: this.shared.clock.now() - 2 * HOUR,
      })
      this.#checks.set(slug, check.uuid)
    }
    const roles = Object.keys(ROLES)
    await Promise.all(roles.filter(role => !ROLES[role]!.parent).map(add))
    await Promise.all(roles.filter(role => ROLES[role]!.parent).map(add))
  }

  /** What its checks have recorded before, as their pings at `place`, by how long ago that is (ms). */
  before(round: string, place: number): Map<number, ArrivedPing[]> {
    const pings = new Map<number, ArrivedPing[]>()
    for (const [role, { before }] of Object.entries(ROLES)) {
      if (place >= before.length) continue
      const [action, agoMs = 0] = before[place]!
      // A second more, so that what is to be over by now is.
      const at = this.shared.clock.now() - agoMs - SECOND + place
      const uuid = this.#uuid(role, round)
      appendTo(pings, agoMs, arrivedPing({ uuid }, at, { action, ua: 'before' }))
    }
    return pings
  }

  /** Whether the alerts of these pings have arrived, and what is to wait for another check does. */
  async wasAlertedBefore(round: string, place: number): Promise<boolean> {
    if (!ALERTS_BEFORE[place]!.every(alert => this.#arrived(alert, round) > 0)) return false
    const held = await this.shared.query(
      `SELECT 1 FROM deliveries WHERE held_by = 'dependency' AND check_id = ${this.#idOf('child', round)}`,
    )
    return held.length > 0
  }

  /** Makes the log of a check as long as it may be, and what is cut with it as old as its first entry. */
  async fillLog(round: string): Promise<void> {
    const check = this.#idOf('full', round)
    await this.shared.query(`
      UPDATE checks SET n_pings = 1999 WHERE id = ${check};
      UPDATE notifications SET created_at = 1 WHERE check_id = ${check};
      UPDATE flips SET created_at = 1 WHERE check_id = ${check};
      INSERT INTO passed_deadlines (check_id, passed_at, cause, since_at) VALUES (${check}, 1, 'missed', 1)`)
  }

  /** Sends a ping of a round as the web does. */
  send(round: string, [role, fields, how]: Sent): Promise<PingOutcome> {
    const { clock, queue } = this.shared
    clock.pass(1)
    const slug = `${role}-${round}`
    const ua = `${this.#logs.get(slug)?.length ?? 0}`
    appendTo(this.#logs, slug, how === 'mail' ? `Email from ${ua}` : ua)
    if (how === 'mail') return this.#sendMail(this.#uuid(role, round), ua)
    const target = how
      ? { pingKey: this.names.pingKey, slug, create: how === 'create' }
      : { uuid: this.#uuid(role, round) }
    const now = clock.now()
    const ranAt = fields.ranAt ? now + fields.ranAt : null
    return queue.record(arrivedPing(target, now, { ...fields, ranAt, ua }))
  }

  async #sendMail(uuid: string, sender: string): Promise<PingOutcome> {
    const { clock, queue } = this.shared
    const deps = {
      pings: queue,
      stamp: () => ({ ms: clock.now(), us: 0 }),
      namedByMail: this.scene.store.pings.namedByMail,
      readMail: async () => ({ subject: 'FAILED', to: '', text: '', html: '', htmlText: '' }),
    }
    const mail = { targets: [{ uuid }], sender, remoteAddr: null, raw: BODY }
    return (await recordMail(deps, mail))[0]!
  }

  /** The alerts of a round that have not arrived yet. */
  missing(round: string): string[] {
    return ALERTS.filter(alert => this.#arrived(alert, round) === 0)
  }

  /** Whether the log that became too long was cut, and what depends on a check that recovered was looked at. */
  async isCleared(round: string): Promise<boolean> {
    const rows = await this.shared.query(`
      SELECT 1 FROM pings WHERE check_id = ${this.#idOf('full', round)} AND ua = 'before'
      UNION ALL SELECT 1 FROM incidents WHERE check_id = ${this.#idOf('gateway', round)} AND releases = 1`)
    return rows.length === 0
  }

  /** Fails unless each alert arrived once, and each ping is in its log once, in order. */
  async assertNothingLost(round: string): Promise<void> {
    for (const alert of ALERTS) assert.equal(this.#arrived(alert, round), 1, alert)
    for (const role of ['quiet', 'off', 'leaf'])
      assert.equal(this.#arrived(`own/down/${role}`, round), 0, role)
    const rows = await this.shared.query(`
      SELECT d.slug, string_agg(p.ua, ', ' ORDER BY p.n) AS log
        FROM check_details d JOIN pings p ON p.check_id = d.check_id
       WHERE d.project_id = ${this.scene.projectId} AND p.ua <> 'before' GROUP BY d.slug`)
    const logs = new Map(rows.map(({ slug, log }) => [String(slug), log]))
    for (const [slug, log] of this.#logs) assert.equal(logs.get(slug), log.join(', '), slug)
    assert.equal(logs.size, this.#logs.size)
  }

  #arrived(alert: string, round: string): number {
    const path = `/${this.names.name}/${alert}-${round}`
    return this.shared.receiver.requests.filter(({ url }) => url === path).length
  }

  #uuid(role: string, round: string): string {
    return this.#checks.get(`${role}-${round}`)!
  }

  /** The ID of a check, in SQL. */
  #idOf(role: string, round: string): string {
    return `(SELECT id FROM checks WHERE uuid = '${this.#uuid(role, round)}')`
  }
}
