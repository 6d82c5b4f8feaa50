import type { TestContext } from 'node:test'
import type { Outage } from '../../../src/core/instance/outage.js'
import type { ArrivedPing, PingOutcome } from '../../../src/core/pings/arrived-ping.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import type { StoreSettings } from '../../../src/storage/db.js'
import type { Release } from '../../../src/storage/incidents/release-dependants.js'
import type { Store } from '../../../src/storage/store.js'
import { arrivedPing } from '../arrived-ping.js'
import { type ClaimOptions, claimMessages, settleMessage } from '../claim.js'
import { recordPings } from '../record-pings.js'
import { openTestStore } from './store.js'

/** A project in a fresh store, with a clock of the test's own, for tests below HTTP. */
export class StoreHarness {
  constructor(
    /** The one that it uses now. */
    public store: Store,
    readonly projectId: number,
    public now = Date.UTC(2026, 0, 15, 12),
    readonly pingKey = 'key',
  ) {}

  static async open(t: TestContext, settings: Partial<StoreSettings> = {}): Promise<StoreHarness> {
    const store = await openTestStore(t, settings)
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    return new StoreHarness(store, project.id)
  }

  /** A channel, linked to the existing checks. */
  async addChannel(name: string, settings: Record<string, string> = {}, members: string[] = []) {
    return await this.store.channels.create({
      projectId: this.projectId,
      name,
      kind: members.length > 0 ? 'group' : 'webhook',
      settings,
      members,
      now: this.now,
    })
  }

  /** A ping of the check with this slug, which is created if it is missing. */
  async ping(slug: string, action: ArrivedPing['action'] = 'success', more: Partial<ArrivedPing> = {}) {
    const { outcomes } = await recordPings(this.store, [this.arrived(slug, action, more)])
    return outcomes[0] as PingOutcome
  }

  arrived(
    slug: string,
    action: ArrivedPing['action'] = 'success',
    more: Partial<ArrivedPing> = {},
  ): ArrivedPing {
    return arrivedPing({ pingKey: this.pingKey, slug, create: true }, this.now, { action, ...more })
  }

  /** The beats of a process that runs from `from` to `to`. */
  async beat(from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += 15_000) await this.store.instance.beat('me', at)
    await this.store.instance.beat('me', to)
  }

  /**
   * No process accepts pings from `from`, when the process stops properly, until one starts at `to`. Returns the
   * recorded outages.
   */
  async absence(from: number, to: number): Promise<Outage | undefined> {
    await this.store.instance.beat('me', from, { phase: 'stopping' })
    return (await this.store.instance.beat('me', to, { phase: 'starting' })).outages[0]
  }

  /** Claims what is due, as `worker`, for ten seconds. */
  async claim(worker = 'me', options: Omit<ClaimOptions, 'worker'> = {}) {
    return await claimMessages(this.store, this.now, { worker, ...options })
  }

  /** The UUIDs of its checks. */
  async checkUuids(): Promise<string[]> {
    const viewer = { projectId: this.projectId, version: 3, access: 'rw', now: this.now } as const
    const listed = await this.store.checks.showList(viewer, { slug: null, tags: [] })
    const { checks } = JSON.parse(Buffer.from(listed).toString()) as { checks: { uuid: string }[] }
    return checks.map(({ uuid }) => uuid)
  }

  /** Settles a claimed message now. */
  async settle(message: ClaimedMessage, outcome: Parameters<typeof settleMessage>[3], worker = 'me') {
    await settleMessage(this.store, message, this.now, outcome, worker)
  }

  /** One pass of the job that ends the holds of dependencies. */
  async releaseDependants(): Promise<void> {
    const { incidents } = this.store
    for (const ended of await incidents.ended(this.now)) {
      const { projectId, checkId } = ended
      await this.#release({ projectId, checkIds: [checkId], ended: [ended], onlyWaiting: false })
    }
    if (!(await incidents.someDependant())) return
    for (const { id, projectId, status } of await incidents.parentStates()) {
      if (status !== 'down')
        await this.#release({ projectId, checkIds: [id], ended: [], onlyWaiting: status === 'up' })
    }
  }

  async #release(release: Release): Promise<void> {
    for (let after: number | null = 0; after !== null; )
      after = (await this.store.incidents.releaseDependants(release, after, this.now)).next
  }
}
