import assert from 'node:assert/strict'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import { quotaError, quotaUntil } from '../../../src/core/alerts/delivery/quota.js'
import { nextAttemptAt } from '../../../src/core/alerts/delivery/retry.js'
import { type Step, stateSteps, undoableUntil } from '../../../src/core/checks/undo.js'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'
import { monthAt } from '../../../src/core/time/calendar.js'
import type { ClaimedMessage, ClaimedPart } from '../../../src/storage/alerts/messages.js'
import { WHEN_ENABLED } from '../../../src/storage/channels/disable-channel.js'
import type { Store } from '../../../src/storage/store.js'
import { settleMessage, takeMessages } from '../claim.js'
import type { FreshStore } from '../worlds/store.js'
import { StoreHarness } from '../worlds/store-harness.js'
import { Charges } from './charges.js'
import type { Undoable } from './steps.js'
import { beforeClaims, unexplainedByClaims } from './store-reasons.js'
import type { Message, World } from './world.js'

interface Claimed extends Message {
  claimed: ClaimedMessage
  worker: string
}

interface Check {
  id: number
  uuid: string
  status: string
  /** Whether it is held; by a silence, or by the check that it depends on. */
  isHeld: boolean
  silenceId: number | null
}

/** Longer than any history. */
const YEAR_MS = 365 * 86_400_000

const SLUG = 'check-'
const PARENT = 'parent-'

/** A real store, whose channel is of the sort that the rules say. */
export class StoreWorld implements World {
  /** Whether some checks depend on others; set before there are any. */
  hasParents = false
  /** All else happens, but nothing is held. */
  withoutHolds = false
  /** Whether the channel is unreachable after each message that fails, for half an hour or until one arrives. */
  losesReach = false
  #workers = 0
  #stores: Store[] = []
  #turn = 0
  #hasPolicy = false
  #enabled = true
  #groupEnabled = true
  #unexplained: string[] = []
  readonly #charges = new Charges()
  readonly #checks = new Map<number, Check>()
  readonly #unlinked = new Set<number>()

  private constructor(
    readonly rules: ChannelRules,
    private readonly scene: StoreHarness,
    private readonly fresh: FreshStore,
    private readonly channel: { id: number; uuid: string },
    private readonly group: { id: number; uuid: string } | null,
  ) {}

  static async open(fresh: FreshStore, rules: ChannelRules, viaGroup: boolean): Promise<StoreWorld> {
    const { store } = fresh
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const scene = new StoreHarness(store, project.id)
    const made = { projectId: project.id, name: 'A', kind: 'webhook', settings: {}, members: [], now: 1 }
    const channel = await store.channels.create(made)
    const group = viaGroup ? await scene.addChannel('G', {}, [channel.uuid]) : null
    return new StoreWorld(rules, scene, fresh, channel, group)
  }

  /** From now on everything is done by this store and by another one, in turns, as by two processes. */
  async addProcess(): Promise<void> {
    this.#stores = [this.scene.store, await this.fresh.openAnother()]
  }

  async close(): Promise<void> {
    await this.#stores[1]?.close()
  }

  #nextProcess(): void {
    if (this.#stores.length > 0) this.scene.store = this.#stores[this.#turn++ % 2]!
  }

  get viaGroup(): boolean {
    return this.group !== null
  }

  now = () => this.scene.now

  wait(ms: number): void {
    this.scene.now += ms
  }

  async change(name: number, to: 'down' | 'up' | 'paused'): Promise<string | null> {
    const known = this.#checks.get(name)
    const before = known?.status ?? 'new'
    if (before === to) return null
    this.#nextProcess()
    const { store, projectId, now } = this.scene
    if (to === 'paused') await store.checks.pause(projectId, known!.uuid, now)
    else await this.scene.ping(`${SLUG}${name}`, to === 'down' ? 'fail' : 'success')
    if (known) known.status = to
    else {
      this.#checks.set(name, {
        ...(await this.#find(`${SLUG}${name}`)),
        status: to,
        isHeld: false,
        silenceId: null,
      })
      if (this.#dependsOnAnother(name)) await this.#addParent(name)
      // A new check is linked to all channels.
      if (this.group) await this.#switch(name, this.channel, false)
    }
    return before
  }

  async remove(name: number): Promise<void> {
    const { store, projectId, now } = this.scene
    await store.checks.delete(projectId, this.#checks.get(name)!.uuid, now)
    this.#checks.delete(name)
  }

  async setLinked(name: number, linked: boolean): Promise<void> {
    this.#noteLinked(name, linked)
    await this.#switch(name, this.group ?? this.channel, linked)
  }

  #noteLinked(name: number, linked: boolean): void {
    if (linked) this.#unlinked.delete(name)
    else this.#unlinked.add(name)
  }

  async setGroup(enabled: boolean): Promise<void> {
    if (this.#groupEnabled === enabled || !this.group) return
    this.#groupEnabled = enabled
    await this.scene.store.channels.setEnabled(this.group.id, enabled, this.scene.now)
  }

  /** Checks with odd numbers depend on another one, which goes down and comes up again; the others are silenced. */
  async setHeld(name: number, held: boolean): Promise<void> {
    this.scene.now++
    const check = this.#checks.get(name)!
    if (held === check.isHeld) return
    check.isHeld = held
    this.#nextProcess()
    const { store, projectId, now } = this.scene
    if (this.#dependsOnAnother(name)) {
      await this.scene.ping(`${PARENT}${name}`, held ? 'fail' : 'success')
    } else if (this.withoutHolds) return
    else if (held) {
      const { id } = await store.silences.create(projectId, {
        mode: 'hold',
        scope: { checks: [check.uuid] },
        channels: name % 4 === 0 ? null : [this.channel.uuid],
        times: { kind: 'once', from: null, to: now + YEAR_MS },
        reason: `check ${name}`,
        createdBy: 'Alice',
        now,
      })
      check.silenceId = id
    } else await store.silences.end(projectId, check.silenceId!, now)
  }

  #dependsOnAnother(name: number): boolean {
    return this.hasParents && name % 2 === 1
  }

  async #addParent(name: number): Promise<void> {
    const { store, projectId, now } = this.scene
    const parent = `${PARENT}${name}`
    await this.scene.ping(parent)
    const { uuid } = await this.#find(parent)
    for (const { uuid: channel } of [this.channel, ...(this.group ? [this.group] : [])]) {
      await store.channels.switchForCheck(projectId, { check: uuid, channel }, false, now)
    }
    // Nothing judges deadlines here, and one that has passed would hold.
    const changes = { periodSeconds: YEAR_MS / 1000 }
    await store.checks.update(projectId, uuid, { changes, now })
    if (this.withoutHolds) return
    const child = this.#checks.get(name)!.uuid
    await store.checks.update(projectId, child, { changes: {}, parents: [uuid], now })
  }

  async setAcknowledged(name: number, acknowledged: boolean): Promise<void> {
    const { id } = this.#checks.get(name)!
    const [open] = await this.fresh.raw(
      `SELECT id, ack_at, ack_until FROM incidents WHERE check_id = ${id} AND closed_at IS NULL`,
    )
    if (!open) return
    this.#nextProcess()
    const { store, projectId, now } = this.scene
    const incident = Number(open.id)
    if (acknowledged) {
      await store.incidents.acknowledge(projectId, [incident], { by: 'Alice', now, note: '', until: null })
    } else if (open.ack_at !== null && open.ack_until === null) {
      await store.incidents.unacknowledge(projectId, incident, { by: 'Alice', now })
    }
  }

  /** From now on steps and repeats are those of this policy. */
  async usePolicy(rules: PolicyRules): Promise<void> {
    const { store, projectId, now } = this.scene
    await store.incidents.createPolicy(projectId, { ...rules, name: 'On call', isDefault: true, now })
    this.#hasPolicy = true
  }

  async sendAgain(name: number, kind: 'step' | 'repeat'): Promise<void> {
    const { id, status } = this.#checks.get(name)!
    if (status !== 'down' || this.#hasPolicy || !this.#enabled || !this.#isTarget(name)) return
    const { now } = this.scene
    await this.fresh.raw(`
      INSERT INTO deliveries (uuid, channel_id, check_id, flip_id, incident_id, due_at, created_at, again)
      SELECT '${crypto.randomUUID()}', ${this.channel.id}, check_id, flip_id, id, ${now}, ${now}, '${kind}'
      FROM incidents WHERE check_id = ${id} AND closed_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM deliveries WHERE check_id = ${id} AND again IS NOT NULL)`)
  }

  async regret(name: number, what: Undoable): Promise<(() => Promise<boolean>) | null> {
    const check = this.#checks.get(name)!
    const { projectId, now } = this.scene
    const until = undoableUntil(now)
    let steps: Step[]
    if (what === 'pause') {
      if (check.status !== 'down') return null
      this.#nextProcess()
      steps = stateSteps(await this.scene.store.checks.pause(projectId, check.uuid, now, until))
      check.status = 'paused'
    } else {
      const on = what === 'link'
      if (this.#unlinked.has(name) !== on) return null
      this.#nextProcess()
      const names = { check: check.uuid, channel: (this.group ?? this.channel).uuid }
      await this.scene.store.channels.switchForCheck(projectId, names, on, now, until)
      this.#noteLinked(name, on)
      steps = [{ did: 'channel', ...names, on }]
    }
    const doing = { projectId, userId: 1, change: { steps }, now }
    const { uuid } = await this.scene.store.checks.keepUndo(doing)
    return async () => {
      this.#nextProcess()
      const asked = { uuid, projectIds: [projectId], userId: 1, now: this.scene.now }
      const { result } = await this.scene.store.checks.undo(asked)
      if (result === null || result.undone === 0) return false
      if (what === 'pause') check.status = 'down'
      else this.#noteLinked(name, what === 'unlink')
      return true
    }
  }

  #isTarget(name: number): boolean {
    return !this.#unlinked.has(name) && (this.group === null || this.#groupEnabled)
  }

  async #switch(name: number, channel: { uuid: string }, on: boolean): Promise<void> {
    const { store, projectId, now } = this.scene
    const names = { check: this.#checks.get(name)!.uuid, channel: channel.uuid }
    await store.channels.switchForCheck(projectId, names, on, now)
  }

  async truth(): Promise<Map<number, number | null>> {
    const flips = await this.fresh.raw(
      "SELECT check_id, max(id) AS flip FROM flips WHERE new_status = 'down' GROUP BY check_id",
    )
    const byCheck = new Map(flips.map(({ check_id, flip }) => [Number(check_id), Number(flip)]))
    return new Map(
      [...this.#checks].map(([name, { id, status }]) => [name, status === 'down' ? byCheck.get(id)! : null]),
    )
  }

  async setEnabled(enabled: boolean): Promise<void> {
    if (this.#enabled === enabled) return
    this.#enabled = enabled
    await this.scene.store.channels.setEnabled(this.channel.id, enabled, this.scene.now)
  }

  setQuota(messages: number): void {
    this.#charges.left = messages
  }

  /** If there are two processes, both do it at the same moment. */
  async take(): Promise<Claimed[]> {
    const { now, projectId } = this.scene
    const { raw } = this.fresh
    const stores = this.#stores.length > 0 ? this.#stores : [this.scene.store]
    await Promise.all(
      stores.map(async store => {
        await new StoreHarness(store, projectId, now).releaseDependants()
        await store.incidents.escalate(now, 100)
      }),
    )
    const month = monthAt(now, 'UTC')
    const [counted] = await raw(`SELECT used FROM quotas WHERE month = ${month}`)
    const limit = Number(counted?.used ?? 0) + this.#charges.left
    const before = await beforeClaims(raw)
    const taken = await Promise.all(
      stores.map((store, process) =>
        takeMessages(store, now, {
          worker: this.#worker(process),
          rules: this.rules,
          quota: { name: 'messages', called: 'message', limit },
          messages: 16,
        }),
      ),
    )
    const project = {
      store: this.scene.store,
      projectId,
      raw,
      now,
      holderOf: (id: number) => this.#holderOf(id),
    }
    this.#unexplained = await unexplainedByClaims(project, taken, before)
    await this.#noteCharges(taken.flatMap(({ messages }) => messages.filter(({ overQuota }) => !overQuota)))
    return taken.flatMap(({ messages }, process) => this.#claimed(messages, this.#worker(process)))
  }

  async #noteCharges(messages: readonly ClaimedMessage[]): Promise<void> {
    const until = quotaUntil(this.scene.now)
    const held = await this.fresh.raw(
      `SELECT uuid FROM deliveries WHERE held_by = 'quota' AND claimed_by IS NULL AND due_at = ${until}`,
    )
    const stopped = await this.fresh.raw(
      `SELECT uuid, charged FROM deliveries WHERE claimed_by IS NULL AND (
        due_at = ${WHEN_ENABLED}
        OR (due_at > ${this.scene.now} AND due_before IS NULL
          AND held_by IN ('silence', 'dependency', 'acknowledged', 'outage', 'flapping'))
      )`,
    )
    const kept = stopped.filter(({ charged }) => Number(charged) !== 0)
    assert.deepEqual(kept, [], 'nothing that is held has a number')
    const numbers = async (table: string) => {
      const rows = await this.fresh.raw(`SELECT DISTINCT charged FROM ${table}`)
      return new Set(rows.map(({ charged }) => Number(charged)))
    }
    const known = { counted: await numbers('counted_messages'), tried: await numbers('deliveries') }
    this.#charges.giveBack(known, this.scene.now)
    this.#charges.take({
      messages: messages.map(({ parts }) => {
        const [number, ...others] = new Set(parts.map(({ charged }) => charged))
        assert.deepEqual([number !== 0, others], [true, []], 'a message has one number')
        return { number: number!, deliveries: parts.map(({ uuid }) => uuid) }
      }),
      held: held.map(({ uuid }) => String(uuid)),
      stopped: stopped.map(({ uuid }) => String(uuid)),
      grouped: this.rules.grouped,
    })
  }

  unexplained = () => this.#unexplained

  #holderOf(checkId: number): string {
    const [name] = [...this.#checks].find(([, { id }]) => id === checkId)!
    return this.#dependsOnAnother(name) ? `${PARENT}${name}` : `check ${name}`
  }

  #claimed(messages: readonly ClaimedMessage[], worker: string): Claimed[] {
    const names = new Map([...this.#checks].map(([name, { id }]) => [id, name]))
    return messages.map(claimed => ({
      form: claimed.form,
      claimed,
      worker,
      parts: claimed.parts.flatMap(({ uuid, checkId, closing, due, flipId }) =>
        due === null
          ? []
          : [
              {
                uuid,
                check: closing ? Number(closing.check.slug.slice(SLUG.length)) : names.get(checkId!)!,
                status: due.change.status,
                flip: flipId,
                missedDown: due.missedDown,
                again: due.change.again !== null,
              },
            ],
      ),
    }))
  }

  async sent({ claimed, worker }: Claimed): Promise<void> {
    // A notice that exceeds the quota is neither counted nor sent.
    const { overQuota } = claimed
    if (overQuota)
      return await this.#settle(claimed, worker, { type: 'failed', error: quotaError(overQuota) })
    this.#charges.arrived(claimed.parts[0]!.charged)
    const { form, alertClass } = claimed
    const flapping = form === 'flapping' ? 'begun' : form === 'alert' ? null : 'over'
    await this.#settle(claimed, worker, { type: 'sent', alertClass, flapping })
  }

  async failed({ claimed, worker }: Claimed): Promise<void> {
    const { now } = this.scene
    const retryAt = ({ attempts, due, createdAt }: ClaimedPart) => {
      const since = due?.since ?? createdAt
      return nextAttemptAt({ since, attempts: attempts + 1, lasting: due?.lasting ?? false }, now)
    }
    await this.#settle(claimed, worker, { type: 'retry', error: 'away', retryAt })
    if (!this.losesReach) return
    await this.fresh.raw(`UPDATE channels SET unreachable_at = ${now}, probe_at = ${now + 1_800_000}`)
  }

  async die(): Promise<void> {
    this.#workers++
    this.scene.now += 10_001
  }

  async restart(): Promise<void> {
    await this.fresh.reopen()
    this.scene.store = this.fresh.store
  }

  /** What a hold must not change (T1). */
  async shown(): Promise<object> {
    const { store, projectId, now } = this.scene
    const { raw } = this.fresh
    const metrics = await store.checks.showPrometheus(projectId, now)
    const [project] = await raw('SELECT badge_key FROM projects')
    return {
      flips: await raw('SELECT check_id, created_at, old_status, new_status, reason FROM flips ORDER BY id'),
      checks: await raw(
        'SELECT id, status, status_since, last_ping, alert_after, n_pings FROM checks ORDER BY id',
      ),
      pings: await raw('SELECT check_id, n, kind, created_at FROM pings ORDER BY check_id, n'),
      incidents: await raw(
        'SELECT check_id, opened_at, since_at, down_at, closed_at, closed_by FROM incidents ORDER BY id',
      ),
      metrics: metrics
        .replaceAll(/unique_key="\w+"/g, '')
        .split('\n')
        .sort(),
      badge: await store.checks.projectBadge(String(project!.badge_key), null, now),
    }
  }

  async waiting(): Promise<number> {
    const rows = await this.fresh.raw(`
      SELECT d.check_id, d.held_by, d.due_at, d.claimed_by, i.ack_at, i.ack_until
      FROM deliveries d LEFT JOIN incidents i ON i.id = d.incident_id`)
    const unlinked = new Set(
      [...this.#checks].flatMap(([name, { id }]) => (this.#isTarget(name) ? [] : [id])),
    )
    const waitsForLink = (row: (typeof rows)[number]) =>
      row.claimed_by === null && Number(row.due_at) === WHEN_ENABLED && unlinked.has(Number(row.check_id))
    const held = new Set([...this.#checks.values()].flatMap(({ id, isHeld }) => (isHeld ? [id] : [])))
    const waits = (row: (typeof rows)[number]) =>
      (row.held_by === 'quota' && this.#charges.left === 0) ||
      (row.held_by === 'acknowledged'
        ? row.ack_at !== null && row.ack_until === null
        : (row.held_by === 'silence' || row.held_by === 'dependency') && held.has(Number(row.check_id)))
    return rows.filter(row => !waits(row) && !waitsForLink(row)).length
  }

  async reported(): Promise<number[]> {
    const rows = await this.fresh.raw('SELECT check_id FROM reported')
    const ids = rows.map(({ check_id }) => Number(check_id))
    return [...this.#checks].flatMap(([name, { id }]) => (ids.includes(id) ? [name] : []))
  }

  #worker(process: number): string {
    return `worker ${this.#workers} of process ${process}`
  }

  async #settle(
    claimed: ClaimedMessage,
    worker: string,
    outcome: Parameters<typeof settleMessage>[3],
  ): Promise<void> {
    await settleMessage(this.scene.store, claimed, this.scene.now, outcome, worker)
  }

  async #find(slug: string): Promise<{ id: number; uuid: string }> {
    const [row] = await this.fresh.raw(
      `SELECT c.id, c.uuid FROM checks c JOIN check_details d ON d.check_id = c.id WHERE d.slug = '${slug}'`,
    )
    return { id: Number(row!.id), uuid: String(row!.uuid) }
  }
}
