import type { SentCounts } from '../../../src/core/alerts/delivery/allowance.js'
import { withOneMore } from '../../../src/core/alerts/delivery/allowance.js'
import { type Change, type ChangeStatus, isHold } from '../../../src/core/alerts/delivery/change.js'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import { type Flapping, STEADY_MS } from '../../../src/core/alerts/delivery/flapping.js'
import type { CheckHold, CheckHoldReason } from '../../../src/core/alerts/delivery/hold.js'
import { planChannel } from '../../../src/core/alerts/delivery/plan.js'
import type { PlannedMessage, WaitingCheck } from '../../../src/core/alerts/delivery/plan-values.js'
import { keepsNumber, quotaUntil } from '../../../src/core/alerts/delivery/quota.js'
import { isRenewed, mayHaveEnded, renewedChange } from '../../../src/core/alerts/delivery/renew.js'
import { nextAttemptAt } from '../../../src/core/alerts/delivery/retry.js'
import { markUnplanned, unplannedDowns } from '../../../src/core/alerts/delivery/under-holds.js'
import type { Flip } from '../../../src/core/checks/flip.js'
import {
  type Down,
  holdsOfDependant,
  mayHold,
  type Parent,
  spansOfDependant,
} from '../../../src/core/incidents/dependency.js'
import { type Incident, incidentAfter } from '../../../src/core/incidents/incident.js'
import { Charges } from './charges.js'
import { unexplainedIn } from './plan-reasons.js'
import type { Message, World } from './world.js'

interface Row extends Change {
  uuid: string
  check: number
  /** Whether the check is deleted, and whether it was reported down to the channel. */
  gone: boolean
  closesReported: boolean
  dueAt: number
  claimed: 'no' | 'yes' | 'abandoned'
}

interface Check {
  status: string
  downFlip: number | null
  closingFlip: { flip: number; status: ChangeStatus; at: number } | null
  history: number[]
  /** When it went down. */
  downAt: number
  /** The latest. */
  incident: (Incident & { isAcknowledged?: boolean }) | null
}

interface Planned extends Message {
  planned: PlannedMessage
  /** The number of the message that the quota counted. */
  charged: number
}

/** A silence that ends when it is ended. */
const FOREVER: CheckHold = { reason: 'silence', until: Number.POSITIVE_INFINITY, name: '' }

/** Nobody expects a ping of it before a day has passed. */
const DAILY = {
  kind: 'simple',
  periodSeconds: 86_400,
  schedule: '',
  tz: 'UTC',
  dependsWaitSeconds: 300,
} as const

/** The most messages of one claim. */
const MOST = 2

const NONE = { from: null, down: 0, other: 0 }

/** The plan alone, with a few rows in memory in place of the storage. */
export class PlanWorld implements World {
  #now = Date.UTC(2026, 0, 15, 12)
  #ids = 0
  #enabled = true
  #groupEnabled = true
  readonly viaGroup = true
  #rows: Row[] = []
  #sent: SentCounts = { minute: NONE, hour: NONE }
  readonly #checks = new Map<number, Check>()
  readonly #unlinked = new Set<number>()
  readonly #reported = new Map<number, number>()
  readonly #flapping = new Map<number, Flapping>()
  readonly #holds = new Map<number, { from: number; to: number }[]>()
  readonly #unsent = new Map<number, Map<number, { held: boolean; tried: boolean }>>()
  /** Of the checks that depend on another. */
  readonly #parents = new Map<number, Parent>()
  /** When those were down, and when they succeeded. */
  readonly #downs = new Map<number, Down[]>()
  readonly #successes = new Map<number, number[]>()
  #unexplained: string[] = []
  readonly #charges = new Charges()

  /** `hasParents`: checks with odd numbers depend on another one, which holds them; the others are silenced. */
  constructor(
    readonly rules: ChannelRules,
    private readonly hasParents = false,
  ) {}

  now = () => this.#now

  wait(ms: number): void {
    this.#now += ms
  }

  change(name: number, to: 'down' | 'up' | 'paused'): string | null {
    const check = this.#checks.get(name) ?? {
      status: 'new',
      downFlip: null,
      closingFlip: null,
      history: [],
      downAt: 0,
      incident: null,
    }
    this.#checks.set(name, check)
    const before = check.status
    if (before === to) return null
    check.status = to
    if (to !== 'down' && before !== 'down') return before
    const flip = ++this.#ids
    const change = { createdAt: this.#now, oldStatus: before, newStatus: to, reason: '' } as Flip
    check.incident = incidentAfter(check.incident, change, flip).incident
    if (to === 'down') {
      check.downFlip = flip
      check.downAt = this.#now
      const unsent = this.#unsent.get(name) ?? new Map()
      this.#unsent.set(name, unsent.set(flip, { held: false, tried: false }))
    } else {
      check.closingFlip = { flip, status: to, at: this.#now }
      const isUnplanned = (row: Row) =>
        row.flipId === check.downFlip && row.heldBy === null && row.attempts === 0
      if (this.#isHeldAt(name, check.downAt) && this.#isHeldAt(name, this.#now)) {
        for (const row of this.#rows.filter(
          row => row.check === name && row.claimed === 'no' && isUnplanned(row),
        ))
          this.#note(row, 'held')
      }
    }
    if (to !== 'paused') check.history.unshift(this.#now)
    if (this.#enabled && this.#isTarget(name)) this.#add(name, to, flip)
    return before
  }

  remove(name: number): void {
    const tried = this.#rows.some(
      ({ check, claimed, attempts, missed, status }) =>
        check === name && (claimed !== 'no' || attempts > 0 || missed || status === 'deleted'),
    )
    const reported = this.#reported.has(name)
    this.#rows = this.#rows.filter(row => row.check !== name)
    this.#checks.delete(name)
    this.#flapping.delete(name)
    this.#reported.delete(name)
    if (!reported && !tried) return
    if (tried) this.#unsent.delete(name)
    const row = this.#add(name, 'deleted', null)
    row.gone = true
    row.closesReported = reported
    row.attempts = reported ? 0 : 1
  }

  setLinked(name: number, linked: boolean): void {
    const wasTarget = this.#isTarget(name)
    if (linked) this.#unlinked.delete(name)
    else this.#unlinked.add(name)
    if (wasTarget && !linked) this.#end(name)
    if (!wasTarget && this.#isTarget(name)) {
      const isEnd = (row: Row) => row.check === name && row.status === 'deleted' && this.#isParked(row)
      for (const row of this.#rows.filter(isEnd)) row.dueAt = this.#now
    }
  }

  setGroup(enabled: boolean): void {
    if (this.#groupEnabled === enabled) return
    const targets = [...this.#checks.keys()].filter(name => this.#isTarget(name))
    this.#groupEnabled = enabled
    if (enabled) this.#bringToTruth()
    else for (const name of targets) this.#end(name)
  }

  setHeld(name: number, held: boolean): void {
    const times = this.#holds.get(name) ?? []
    this.#holds.set(name, times)
    this.#now++
    if (this.#dependsOnAnother(name)) {
      this.#setParentDown(name, held)
      return
    }
    if (held === this.#isHeldAt(name, this.#now)) return
    if (held) times.push({ from: this.#now, to: Number.POSITIVE_INFINITY })
    else {
      times.at(-1)!.to = this.#now
      for (const row of this.#rows) {
        if (row.check === name && row.claimed === 'no' && row.heldBy === 'silence') row.dueAt = this.#now
      }
    }
  }

  setQuota(messages: number): void {
    this.#charges.left = messages
  }

  #dependsOnAnother(name: number): boolean {
    return this.hasParents && name % 2 === 1
  }

  #parentOf(name: number): Parent {
    const up = { isDown: false, isUnjudged: false, recoveredAt: null, lastSuccessAt: null }
    return this.#parents.get(name) ?? { name: `parent-${name}`, status: 'up', ...up }
  }

  #setParentDown(name: number, isDown: boolean): void {
    const before = this.#parentOf(name)
    if (isDown === before.isDown) return
    const [recoveredAt, lastSuccessAt] = isDown ? [null, before.lastSuccessAt] : [this.#now, this.#now]
    const status = isDown ? 'down' : 'up'
    this.#parents.set(name, { ...before, status, isDown, recoveredAt, lastSuccessAt })
    const downs = this.#downs.get(name) ?? []
    this.#downs.set(name, downs)
    if (isDown) {
      downs.push({ from: this.#now, to: null, holdsOn: true })
      return
    }
    downs.at(-1)!.to = this.#now
    this.#successes.set(name, [...(this.#successes.get(name) ?? []), this.#now])
    for (const row of this.#rows) {
      if (row.check === name && row.claimed === 'no' && row.heldBy === 'dependency') row.dueAt = this.#now
    }
  }

  /** What held the check at an instant at which nobody planned its changes. */
  #heldAt(name: number, changes: readonly Change[], at: number): CheckHoldReason | null {
    if (!this.#dependsOnAnother(name)) return this.#isHeldAt(name, at) ? 'silence' : null
    const spans = unplannedDowns(changes).flatMap(({ at: downAt }) => {
      const successes = (this.#successes.get(name) ?? []).filter(one => one >= downAt)
      const found = { downs: [this.#downs.get(name) ?? []], wait: { firstSuccessAt: successes[0] ?? null } }
      return spansOfDependant(
        { ...DAILY, downAt },
        this.#parentOf(name).isDown ? { ...found, wait: null } : found,
        this.#now + 1,
      )
    })
    return spans.some(({ from, to }) => from <= at && at < to) ? 'dependency' : null
  }

  #holdsOf(name: number): CheckHold[] {
    if (!this.#dependsOnAnother(name)) return this.#isHeldAt(name, this.#now) ? [FOREVER] : []
    const parent = this.#parentOf(name)
    const found = { holders: mayHold(parent, this.#now) ? [parent] : [], parents: [parent] }
    return holdsOfDependant({ ...DAILY, downAt: this.#checks.get(name)!.downAt }, found, this.#now)
  }

  setAcknowledged(name: number, acknowledged: boolean): void {
    const incident = this.#checks.get(name)?.incident
    if (incident?.closedAt === null) incident.isAcknowledged = acknowledged
  }

  sendAgain(name: number, kind: 'step' | 'repeat'): void {
    const check = this.#checks.get(name)
    if (check?.status !== 'down' || !this.#enabled || !this.#isTarget(name)) return
    if (this.#rows.some(row => row.check === name && row.again !== null)) return
    Object.assign(this.#add(name, 'down', check.downFlip), { again: kind, at: check.downAt })
  }

  #isHeldAt(name: number, at: number): boolean {
    return (this.#holds.get(name) ?? []).some(({ from, to }) => from <= at && at < to)
  }

  #isTarget(name: number): boolean {
    return this.#groupEnabled && !this.#unlinked.has(name)
  }

  #end(name: number): void {
    if (this.#rows.findLast(({ check }) => check === name)?.status === 'deleted') return
    const rows = this.#rows.filter(({ check }) => check === name)
    const tried = rows.some(({ attempts, missed }) => attempts > 0 || missed)
    const mayKnow = tried || this.#reported.has(name) || rows.some(({ claimed }) => claimed !== 'no')
    this.#rows = this.#rows.filter(({ check, claimed }) => check !== name || claimed !== 'no')
    this.#flapping.delete(name)
    if (mayKnow) this.#add(name, 'deleted', null).missed = tried
  }

  reported(): number[] {
    return [...this.#reported.keys()]
  }

  truth(): Map<number, number | null> {
    return new Map(
      [...this.#checks].map(([name, { status, downFlip }]) => [name, status === 'down' ? downFlip : null]),
    )
  }

  setEnabled(enabled: boolean): void {
    if (this.#enabled === enabled) return
    this.#enabled = enabled
    for (const row of this.#rows) if (row.claimed === 'no') row.dueAt = this.#now
    if (enabled) this.#bringToTruth()
  }

  #bringToTruth(): void {
    if (!this.#enabled) return
    for (const row of this.#rows) if (row.claimed === 'no') row.dueAt = this.#now
    for (const [name, { status, downFlip, downAt, closingFlip }] of this.#checks) {
      if (!this.#isTarget(name)) continue
      const waiting = this.#rows.filter(row => row.check === name)
      const waits = (flip: number) => waiting.some(({ flipId, again }) => flipId === flip && again === null)
      const reported = this.#reported.get(name)
      if (status === 'down') {
        if (reported === downFlip || waits(downFlip!)) continue
        this.#add(name, 'down', downFlip).at = downAt
        // It is due now, whatever held the alert that is gone.
        const unsent = this.#unsent.get(name)?.get(downFlip!)
        if (unsent) unsent.held = false
      } else if ((reported !== undefined || waiting.length > 0) && closingFlip && !waits(closingFlip.flip)) {
        this.#add(name, closingFlip.status, closingFlip.flip).at = closingFlip.at
      }
    }
  }

  take(): Planned[] {
    const free = this.#rows.filter(
      row =>
        row.claimed !== 'yes' && !this.#rows.some(one => one.check === row.check && one.claimed === 'yes'),
    )
    for (const row of free.filter(({ claimed }) => claimed === 'abandoned')) {
      row.claimed = 'no'
      row.attempts++
      this.#note(row, 'tried')
    }
    const due = new Set(free.filter(({ dueAt }) => dueAt <= this.#now).map(({ check }) => check))
    if (this.#enabled) for (const name of due) this.#renew(name)
    const checks = [...due].map(name => this.#waiting(name))
    const plan = planChannel(
      {
        rules: this.rules,
        usable: this.#enabled ? 'yes' : 'not now',
        sent: this.#sent,
        unreachableUntil: null,
        sending: { down: 0, other: 0 },
        receiver: { messages: Number.POSITIVE_INFINITY, until: this.#now },
        quota: { messages: this.#charges.left, until: quotaUntil(this.#now) },
      },
      { checks, notices: [] },
      { most: MOST },
      this.#now,
    )
    this.#unexplained = unexplainedIn(checks, plan, { most: MOST, usable: this.#enabled, now: this.#now })
    const row = (id: number) => this.#rows.find(one => one.id === id)!
    for (const { id, due, until, reason } of plan.holds) {
      Object.assign(row(id), {
        dueAt: until,
        superseded: due!.superseded,
        missed: due!.missed,
        delayed: due!.delayed,
        charged: keepsNumber(reason) ? due!.charged : 0,
        createdAt: due!.createdAt,
      })
      Object.assign(row(id), { heldBy: reason, delayed: row(id).delayed || !isHold(reason) })
      this.#note(row(id), row(id).delayed || row(id).missed ? 'tried' : 'held')
    }
    for (const id of plan.parked) Object.assign(row(id), { dueAt: Number.POSITIVE_INFINITY, charged: 0 })
    for (const { checkId } of plan.reported) this.#reported.delete(checkId)
    for (const { checkId, at } of plan.stillFlapping) {
      const known = this.#flapping.get(checkId)
      if (known) this.#flapping.set(checkId, { ...known, changedAt: at })
    }
    const numbers = plan.messages.map(planned => this.#numberOf(planned))
    const uuidsOf = ({ parts }: PlannedMessage) => parts.map(({ change }) => row(change.id).uuid)
    this.#charges.take({
      messages: plan.messages.map((one, index) => ({ number: numbers[index]!, deliveries: uuidsOf(one) })),
      held: plan.holds.flatMap(({ id, reason }) => (reason === 'quota' ? [row(id).uuid] : [])),
      stopped: [
        ...plan.holds.flatMap(({ id, reason }) => (keepsNumber(reason) ? [] : [row(id).uuid])),
        ...plan.parked.map(id => row(id).uuid),
      ],
      grouped: this.rules.grouped,
    })
    const messages = plan.messages.map((planned, index): Planned => {
      const charged = numbers[index]!
      const parts = planned.parts.map(({ change, missedDown, superseded, missed, delayed, createdAt }) => {
        const one = row(change.id)
        Object.assign(one, { claimed: 'yes', superseded, missed, delayed, charged, createdAt })
        const { uuid, check, status, flipId: flip } = one
        return { uuid, check, status, flip, missedDown, again: one.again !== null }
      })
      return { form: planned.form, parts, planned, charged }
    })
    const dropped = new Set(plan.drops.map(({ id }) => id))
    this.#rows = this.#rows.filter(({ id }) => !dropped.has(id))
    return messages
  }

  unexplained = () => this.#unexplained

  /** The number of a message; deliveries that are not in it lose it. */
  #numberOf({ parts }: PlannedMessage): number {
    const number = parts.find(({ charged }) => charged !== 0)?.charged ?? ++this.#ids
    for (const row of this.#rows) if (row.charged === number) row.charged = 0
    return number
  }

  sent({ form, parts, planned, charged }: Planned): void {
    this.#charges.arrived(charged)
    this.#sent = withOneMore(this.#sent, planned.alertClass, this.#now)
    for (const [index, { uuid, check, flip }] of parts.entries()) {
      const { reports, change } = planned.parts[index]!
      const row = this.#rows.find(one => one.uuid === uuid)
      if (row && this.#isLinkedAgain(row)) this.#renewRow(row, [{ ...row, attempts: 0, missed: false }])
      else if (row && form === 'flapping' && this.#isNewestForTarget(row)) this.#keepNoticed(row)
      else this.#rows = this.#rows.filter(one => one !== row)
      this.#unsent.delete(check)
      if (!this.#checks.has(check)) continue
      if (reports === 'down') this.#reported.set(check, flip!)
      else this.#reported.delete(check)
      if (form !== 'alert') this.#flapping.delete(check)
      if (form === 'flapping') this.#flapping.set(check, { reportedAt: this.#now, changedAt: change.at })
    }
  }

  failed({ planned }: Planned): void {
    for (const { change, since, lasting } of planned.parts) {
      const row = this.#rows.find(({ id }) => id === change.id)
      // The check was deleted in the meantime.
      if (!row) continue
      const dueAt = nextAttemptAt({ since, attempts: row.attempts + 1, lasting }, this.#now)
      this.#note(row, 'tried')
      if (dueAt === null) this.#rows = this.#rows.filter(one => one !== row)
      else Object.assign(row, { claimed: 'no', attempts: row.attempts + 1, dueAt })
    }
  }

  die(): void {
    for (const row of this.#rows) if (row.claimed === 'yes') row.claimed = 'abandoned'
    this.#now += 10_001
  }

  waiting(): number {
    const waits = ({ heldBy, check }: Row) =>
      (heldBy === 'silence' && this.#isHeldAt(check, this.#now)) ||
      (heldBy === 'dependency' && this.#parentOf(check).isDown) ||
      (heldBy === 'quota' && this.#charges.left === 0) ||
      (heldBy === 'acknowledged' && this.#checks.get(check)?.incident?.isAcknowledged)
    return this.#rows.filter(row => !waits(row) && !this.#waitsForLink(row)).length
  }

  /** Whether it is due when the channel can be used again, or is linked to the check again. */
  #isParked({ claimed, dueAt }: Row): boolean {
    return claimed === 'no' && dueAt === Number.POSITIVE_INFINITY
  }

  #waitsForLink(row: Row): boolean {
    return this.#isParked(row) && !row.gone && !this.#isTarget(row.check)
  }

  unsent(check: number): { held: boolean; tried: boolean }[] {
    return [...(this.#unsent.get(check)?.values() ?? [])]
  }

  #waiting(name: number): WaitingCheck {
    const changes = this.#rows.filter(({ check }) => check === name)
    const { gone } = changes[0]!
    const reported = this.#reported.get(name)
    return {
      checkId: gone ? null : name,
      changes: markUnplanned(changes, at => (gone ? null : this.#heldAt(name, changes, at))),
      reported: gone
        ? changes[0]!.closesReported
          ? { flipId: 0 }
          : null
        : reported === undefined
          ? null
          : { flipId: reported },
      isDown: !gone && this.#checks.get(name)!.status === 'down',
      overAt: this.#checks.get(name)?.incident?.closedAt ?? null,
      isTarget: gone || this.#isTarget(name),
      holds: gone ? [] : this.#holdsOf(name),
      outageUntil: null,
      isAcknowledged: this.#checks.get(name)?.incident?.isAcknowledged ?? false,
      flapping: gone ? null : (this.#flapping.get(name) ?? null),
      history: this.#checks.get(name)?.history ?? [],
    }
  }

  /** Replaces what waits with a down alert, if the check is linked again before its end was sent. */
  #renew(name: number): void {
    const rows = this.#rows.filter(({ check }) => check === name)
    const newest = rows.at(-1)
    const check = this.#checks.get(name)
    if (!newest || newest.gone || !check) return
    if (!isRenewed({ changes: rows, isTarget: this.#isTarget(name) })) return
    if (check.status === 'down' && mayHaveEnded(rows)) this.#reported.delete(name)
    this.#rows = this.#rows.filter(row => row.check !== name || row === newest)
    this.#renewRow(newest, rows)
  }

  #renewRow(row: Row, changes: readonly Change[]): void {
    const { status, downFlip, downAt, closingFlip } = this.#checks.get(row.check)!
    const last =
      status === 'down'
        ? { status: 'down' as const, flipId: downFlip!, at: downAt }
        : { ...closingFlip!, flipId: closingFlip!.flip }
    const isReported = this.#reported.get(row.check) === last.flipId
    const change = renewedChange(changes, { ...last, isReported }, this.#now)
    Object.assign(row, change, { uuid: `delivery ${++this.#ids}`, claimed: 'no', dueAt: this.#now })
  }

  /** Whether the change that ended the check for the channel becomes a down alert once it is sent. */
  #isLinkedAgain(row: Row): boolean {
    if (row.gone || row.status !== 'deleted') return false
    return this.#isNewestForTarget(row) && this.#checks.get(row.check)?.status === 'down'
  }

  #isNewestForTarget({ id, check }: Row): boolean {
    const isNewer = (other: Row) => other.check === check && other.id > id && other.again === null
    return !this.#rows.some(isNewer) && this.#checks.has(check) && this.#isTarget(check)
  }

  /** The change of a notice of flapping waits to be sent as steady. */
  #keepNoticed(row: Row): void {
    Object.assign(row, {
      uuid: `delivery ${++this.#ids}`,
      claimed: 'no',
      attempts: 0,
      charged: 0,
      heldBy: 'flapping',
      delayed: false,
      superseded: 0,
      missed: false,
      again: null,
      createdAt: this.#now,
      dueAt: row.at + STEADY_MS,
    })
  }

  #add(check: number, status: ChangeStatus, flipId: number | null): Row {
    const id = ++this.#ids
    const row: Row = {
      id,
      uuid: `delivery ${id}`,
      check,
      gone: false,
      closesReported: false,
      status,
      flipId,
      at: this.#now,
      attempts: 0,
      charged: 0,
      heldBy: null,
      delayed: false,
      superseded: 0,
      missed: false,
      createdAt: this.#now,
      again: null,
      dueAt: this.#now,
      claimed: 'no',
    }
    this.#rows.push(row)
    return row
  }

  #note({ check, flipId }: Row, what: 'held' | 'tried'): void {
    const alert = flipId === null ? undefined : this.#unsent.get(check)?.get(flipId)
    if (alert) alert[what] = true
  }
}
