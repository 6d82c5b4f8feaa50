import assert from 'node:assert/strict'
import { REOPEN_MS } from '../../../src/core/incidents/incident.js'
import type { Message, Part, World } from './world.js'

interface Reported {
  down: boolean
  flip: number | null
}

interface Remembered {
  closed: boolean
  repeats: boolean
  excused: boolean
  recoveredAt: number
  news: number
  closings: number
}

/** What the receiver knows from the messages that arrived, and what it must know. */
export class Receiver {
  readonly #reported = new Map<number, Reported>()
  /** Checks whose incident was closed by a pause or a deletion, which only some kinds report. */
  readonly #closedByPeople = new Set<number>()
  /** How often each delivery arrived, and how often its result was unknown or recorded wrongly. */
  readonly #arrived = new Map<string, number>()
  readonly #uncertainTimes = new Map<string, number>()
  /** Checks whose last message may have arrived, so that the next one may repeat it. */
  readonly #uncertain = new Set<number>()
  /** Checks that are not linked to the channel directly. Its group may still link them. */
  readonly #unlinked = new Set<number>()
  #groupEnabled = true
  /** Checks that went down without any need to report it to the channel. */
  readonly #excused = new Set<number>()
  /** Checks for which sending a down alert has begun and no end has been sent since. */
  readonly #mayKnow = new Set<number>()
  /** Checks whose alerts are held. */
  readonly #held = new Set<number>()
  /** Checks whose latest incident is acknowledged, and when incidents ended by a recovery. */
  readonly #acknowledged = new Set<number>()
  /** The checks that were last said to be flapping: their status is sent when it is steady. */
  readonly #promised = new Set<number>()
  /** Those of them of which nothing has kept that status back for good. */
  readonly #owedSteady = new Set<number>()
  readonly #recoveredAt = new Map<number, number>()
  readonly #down = new Set<number>()
  /** See `newsOf`. */
  readonly #news = new Map<number, number>()
  /** See `closingsOf`. */
  readonly #closings = new Map<number, number>()
  /** Checks for which the same down alert may arrive again. */
  readonly #mayRepeat = new Set<number>()

  constructor(private readonly world: World) {}

  isLinked(check: number): boolean {
    return this.#groupEnabled && !this.#unlinked.has(check)
  }

  noteHeld(check: number, held: boolean): void {
    if (held) this.#held.add(check)
    else this.#held.delete(check)
  }

  /** Only an open incident can be acknowledged. */
  noteAcknowledged(check: number, acknowledged: boolean): void {
    if (!this.#down.has(check)) return
    if (acknowledged) this.#acknowledged.add(check)
    else this.#acknowledged.delete(check)
  }

  noteChange(check: number, before: string, to: 'down' | 'up' | 'paused'): void {
    const now = this.world.now()
    if (to === 'down') {
      const isReopened = now - (this.#recoveredAt.get(check) ?? 0) <= REOPEN_MS
      if (!isReopened) this.#acknowledged.delete(check)
      this.#down.add(check)
    } else if (this.#down.delete(check)) this.#recoveredAt.set(check, to === 'up' ? now : 0)
    if (to === 'down' && this.isLinked(check)) this.#excused.delete(check)
    if (to === 'paused' || !this.world.rules[to]) this.#owedSteady.delete(check)
    if (before === 'down' && to === 'paused') {
      this.#closedByPeople.add(check)
      this.#closings.set(check, this.closingsOf(check) + 1)
    }
  }

  /** What is known about a check and what it is excused from, before something that is undone. */
  remember(check: number): Remembered {
    return {
      closed: this.#closedByPeople.has(check),
      repeats: this.#mayRepeat.has(check),
      excused: this.#excused.has(check),
      recoveredAt: this.#recoveredAt.get(check) ?? 0,
      news: this.newsOf(check),
      closings: this.closingsOf(check),
    }
  }

  /** How often a check was paused while it was down. */
  closingsOf(check: number): number {
    return this.#closings.get(check) ?? 0
  }

  /** How many messages about a check were begun, and how often its link changed. */
  newsOf(check: number): number {
    return this.#news.get(check) ?? 0
  }

  /** As if it had never been done, unless messages about it were sent or its link changed. */
  noteUndone(check: number, what: 'pause' | 'unlink', before: Remembered): void {
    if (what === 'pause') {
      this.#down.add(check)
      this.#recoveredAt.set(check, before.recoveredAt)
    } else this.#unlinked.delete(check)
    // Its group may have been disabled since.
    const isSilent = this.newsOf(check) === before.news && this.isLinked(check)
    // It may have been paused in the meantime, for good.
    const isSame = this.closingsOf(check) === before.closings
    if (isSilent && isSame && !before.closed) this.#closedByPeople.delete(check)
    if (isSilent && !before.repeats) this.#mayRepeat.delete(check)
    if (!isSilent) this.#mayRepeat.add(check)
    if (isSilent && !before.excused) this.#excused.delete(check)
  }

  noteDisabled(): void {
    this.#owedSteady.clear()
  }

  noteRemoved(check: number): void {
    this.#owedSteady.delete(check)
    this.#closedByPeople.add(check)
  }

  noteLinked(check: number, linked: boolean): void {
    const was = this.isLinked(check)
    if (linked) this.#unlinked.delete(check)
    else this.#unlinked.add(check)
    this.#noteLinkChange(check, was)
  }

  noteGroup(enabled: boolean, checks: readonly number[]): void {
    const before = checks.map(check => [check, this.isLinked(check)] as const)
    this.#groupEnabled = enabled
    for (const [check, was] of before) this.#noteLinkChange(check, was)
  }

  /** The channel, or its group, is enabled: the current status is sent, however the channel missed it. */
  isBroughtToTruth(): void {
    for (const check of this.#excused) if (this.isLinked(check)) this.#excused.delete(check)
  }

  /** Messages are about linked checks, or close what was left open. None says that a check is up that is down. */
  begins({ form, parts }: Message, truth: ReadonlyMap<number, number | null>): void {
    for (const part of parts) {
      const isWrong = part.status === 'up' && (truth.get(part.check) ?? null) !== null
      assert.ok(!isWrong, `${say(part)} is begun, though the check is down`)
      const isMeant = this.isLinked(part.check) || part.status === 'deleted'
      assert.ok(isMeant, `${say(part)} is begun, though the check is not linked`)
      if (part.status === 'down' && this.#down.has(part.check)) {
        assert.ok(!this.#held.has(part.check), `T4: ${say(part)} is begun, though a hold is active`)
      }
      if (part.again && !this.#uncertain.has(part.check) && !this.#mayRepeat.has(part.check)) {
        const wasSent = this.#reported.get(part.check)?.flip === part.flip
        assert.ok(!wasSent || this.#down.has(part.check), `${say(part)} is sent once more, though it is over`)
      }
      if (part.again && this.#down.has(part.check)) {
        const isWanted = !this.#acknowledged.has(part.check)
        assert.ok(isWanted, `${say(part)} is sent by a step or repeat, though it is acknowledged`)
      }
      this.#news.set(part.check, this.newsOf(part.check) + 1)
      const isOver = part.status === 'down' && !this.#down.has(part.check)
      // One that is sent once more may fail and be held then: what the channel knows stays true.
      if (form === 'flapping' && !isOver && !part.again) this.#owedSteady.add(part.check)
      else this.#owedSteady.delete(part.check)
      if (part.status === 'down') this.#mayKnow.add(part.check)
      this.#closedByPeople.delete(part.check)
      // What ends the check may arrive, whatever is known of it: the alert is sent again if the check is linked again.
      if (part.status === 'deleted') this.#mayRepeat.add(part.check)
    }
  }

  gets({ form, parts }: Message): void {
    for (const part of parts) {
      const times = (this.#arrived.get(part.uuid) ?? 0) + 1
      this.#arrived.set(part.uuid, times)
      const repeats = this.#uncertainTimes.get(part.uuid) ?? 0
      assert.ok(times <= 1 + repeats, `T6: ${say(part)} came ${times} times, uncertain ${repeats} times`)
      // What a notice of flapping promises may come as a part of a digest.
      const isPromised = this.#promised.delete(part.check) || form === 'steady' || form === 'flapping'
      if (form === 'flapping') this.#promised.add(part.check)
      if (!this.#uncertain.delete(part.check)) this.#isDue(part, isPromised)
      if (part.status === 'down' && this.isLinked(part.check)) this.#mayRepeat.delete(part.check)
      this.#reported.set(part.check, { down: part.status === 'down', flip: part.flip })
    }
  }

  /** That a message arrived is known. */
  settled({ parts }: Message): void {
    for (const { check, status } of parts) if (status !== 'down') this.#mayKnow.delete(check)
  }

  /** It is unknown whether a message arrived. */
  mayGetAgain({ parts }: Message): void {
    for (const { uuid, check } of parts) {
      this.#uncertainTimes.set(uuid, (this.#uncertainTimes.get(uuid) ?? 0) + 1)
      this.#uncertain.add(check)
    }
  }

  /** In the end the channel knows the truth, as far as it wants to. `truth`: see `World`. */
  knows(truth: ReadonlyMap<number, number | null>): void {
    const { rules } = this.world
    for (const [check, flip] of truth) {
      if (flip === null || !rules.down || !this.isLinked(check) || this.#excused.has(check)) continue
      const known = this.#reported.get(check)
      if (this.#held.has(check) && known?.flip !== flip) continue
      assert.deepEqual(known, { down: true, flip }, `T3: that check ${check} is down is not known`)
    }
    const owed = [...this.#owedSteady].filter(check => !this.#held.has(check))
    assert.deepEqual(owed, [], 'the status of checks that flapped is known once they are steady')
    for (const [check, known] of this.#reported) {
      const isDown = (truth.get(check) ?? null) !== null && this.isLinked(check)
      if (!known.down || isDown || !rules.up) continue
      // It is sent that once it is linked again.
      const waitsForLink = truth.has(check) && !this.isLinked(check)
      const isOpen = !this.#isClosedSilently(check) && (rules.keepsOpen || !waitsForLink)
      assert.ok(!isOpen, `T2: that check ${check} is not down any more is not known`)
    }
  }

  /** When no linked check is down, every incident is closed. */
  hasNothingOpen(): void {
    const { rules } = this.world
    if (!rules.up || !rules.keepsOpen) return
    const open = [...this.#reported].filter(([, { down }]) => down).map(([check]) => check)
    assert.deepEqual(open, [], 'T2: incidents of these checks stay open')
  }

  #noteLinkChange(check: number, was: boolean): void {
    const is = this.isLinked(check)
    if (was === is) return
    this.#news.set(check, this.newsOf(check) + 1)
    const { rules } = this.world
    if (!is) {
      this.#owedSteady.delete(check)
      if (!rules.up) this.#mayRepeat.add(check)
    } else if (!rules.up || !this.#mayKnow.has(check) || this.#isClosedSilently(check)) {
      // It was linked while it was down, and the channel did not know about it: it is sent the next incident.
      this.#excused.add(check)
    }
  }

  /** Whether a person ended the incident, which the channel is not sent. */
  #isClosedSilently(check: number): boolean {
    return this.#closedByPeople.has(check) && !this.world.rules.keepsOpen
  }

  #isDue(part: Part, promised: boolean): void {
    const { rules } = this.world
    const known = this.#reported.get(part.check) ?? { down: false, flip: null }
    if (part.status === 'down') {
      const isNews = promised || part.again || known.flip !== part.flip || this.#mayRepeat.has(part.check)
      assert.ok(isNews, `T2: ${say(part)} was known`)
      return
    }
    if (known.down || promised || !rules.down) return
    // A message that was tried may have arrived, and its incident may be open.
    const mayBeOpen = part.status === 'paused' || part.status === 'deleted'
    assert.ok(
      part.missedDown || mayBeOpen,
      `T3: ${say(part)}, but the channel was never sent that it is down`,
    )
    const unsent = this.world.unsent?.(part.check) ?? []
    const heldAlone = unsent.length > 0 && unsent.every(({ held, tried }) => held && !tried)
    assert.ok(!heldAlone, `T3: ${say(part)}, though its down alert was only held back`)
  }
}

const say = ({ check, status, flip }: Part) => `check ${check} ${status} (flip ${flip})`
