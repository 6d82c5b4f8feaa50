import type { TestContext } from 'node:test'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'
import { sendAll } from '../send-all.js'
import { openFreshStore } from './store.js'
import { StoreHarness } from './store-harness.js'

const MINUTE = 60_000

/** A project with a check, `backup`, whose channel is Chat, and a channel Phone that only a policy reaches. */
export class PolicyHarness {
  readonly chat: { id: number; uuid: string }
  readonly phone: { id: number; uuid: string }
  readonly check: string

  private constructor(
    readonly scene: StoreHarness,
    readonly raw: (sql: string) => Promise<Record<string, unknown>[]>,
    found: { chat: { id: number; uuid: string }; phone: { id: number; uuid: string }; check: string },
  ) {
    this.chat = found.chat
    this.phone = found.phone
    this.check = found.check
  }

  static async open(t: TestContext): Promise<PolicyHarness> {
    const { store, raw, remove } = await openFreshStore()
    t.after(remove)
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const scene = new StoreHarness(store, project.id)
    const chat = await scene.addChannel('Chat')
    await scene.ping('backup')
    const phone = await scene.addChannel('Phone')
    await store.channels.assign({ id: phone.id, projectId: project.id, checks: [], now: scene.now })
    const [check] = await scene.checkUuids()
    return new PolicyHarness(scene, raw, { chat, phone, check: check! })
  }

  get store() {
    return this.scene.store
  }

  /** The project's policy: Chat at once, Phone after 15 minutes, both again every hour, twice; or these rules. */
  async usePolicy(rules: Partial<PolicyRules> = {}): Promise<number> {
    const { id } = await this.store.incidents.createPolicy(this.scene.projectId, {
      name: 'On call',
      isDefault: true,
      steps: [
        { after: 0, channels: 'check' },
        { after: 900, channels: [this.phone.uuid] },
      ],
      repeat: { every: 3_600, times: 2 },
      ...rules,
      now: this.scene.now,
    })
    return id
  }

  /** Alice acknowledges the open incident. */
  async acknowledge(until: number | null): Promise<void> {
    const [row] = await this.raw('SELECT id FROM incidents WHERE closed_at IS NULL')
    const { now, projectId } = this.scene
    await this.store.incidents.acknowledge(projectId, [Number(row!.id)], {
      by: 'Alice',
      now,
      note: '',
      until,
    })
  }

  /** Looks at policies and sends what is due. Returns the messages as `Channel check status`. */
  async tick(options: Parameters<typeof sendAll>[1] = {}): Promise<string[]> {
    for (;;) {
      const { looked } = await this.store.incidents.escalate(this.scene.now, 100)
      const next = await this.store.incidents.nextLook()
      if (looked === 0 || next === null || next > this.scene.now) break
    }
    return await this.sent(options)
  }

  async sent(options: Parameters<typeof sendAll>[1] = {}): Promise<string[]> {
    const before = await this.#lastNotification()
    await sendAll(this.scene, options)
    const rows = await this.raw(`
      SELECT ch.name, n.check_status, n.error, c.id IS NULL AS gone FROM notifications n
      JOIN channels ch ON ch.id = n.channel_id LEFT JOIN checks c ON c.id = n.check_id
      WHERE n.id > ${before} AND n.error = '' ORDER BY ch.name, n.id`)
    return rows.map(({ name, check_status }) => `${name} ${check_status}`)
  }

  async #lastNotification(): Promise<number> {
    const [row] = await this.raw('SELECT coalesce(max(id), 0) AS id FROM notifications')
    return Number(row!.id)
  }

  /** What each minute up to `minutes` from now sends, as `minute: Channel status`. */
  async minutes(minutes: number, options: Parameters<typeof sendAll>[1] = {}): Promise<string[]> {
    const sent: string[] = []
    for (let minute = 0; minute <= minutes; minute++) {
      if (minute > 0) this.scene.now += MINUTE
      for (const message of await this.tick(options)) sent.push(`${minute}: ${message}`)
    }
    return sent
  }
}
