/** Plays a history and compares what the receiver got with T2, T3 and T6 of decision 0102. */
import assert from 'node:assert/strict'
import { Receiver } from './receiver.js'
import { CHECKS, type Outcome, type QuickStep, type Step } from './steps.js'
import type { Message, World } from './world.js'

const MINUTE = 60_000

export async function play(world: World, steps: readonly Step[]): Promise<void> {
  const history = new History(world)
  await history.begin()
  for (const step of steps) {
    if (step.do === 'wait') await world.wait(step.seconds * 1_000)
    else if (step.do === 'run') await history.run(step.ok)
    else if (step.do === 'rest') await history.rest()
    else if (step.do === 'die') await history.die(step)
    else if (step.do === 'overlap') await history.overlap(step)
    else if (step.do === 'undo') await history.undo(step)
    else await history.apply(step)
    await world.wait(1_000)
  }
  await history.end()
}

class History {
  readonly #receiver: Receiver
  /** The existing checks, by their numbers in the steps. */
  readonly #names = Array.from({ length: CHECKS }, (_, index) => index)
  #fresh = CHECKS
  #enabled = true
  #groupEnabled = true

  constructor(private readonly world: World) {
    this.#receiver = new Receiver(world)
  }

  async begin(): Promise<void> {
    for (const name of this.#names) await this.#change(name, 'up')
  }

  async apply(step: QuickStep): Promise<void> {
    if (step.do === 'change') await this.#change(this.#names[step.check]!, step.to)
    else if (step.do === 'storm') for (const name of this.#names) await this.#change(name, step.to)
    else if (step.do === 'at once') {
      await Promise.all([
        this.#change(this.#names[step.check]!, step.to),
        this.world.setEnabled(step.enabled),
      ])
      this.#noteEnabled(step.enabled)
    } else if (step.do === 'remove') await this.#remove(step.check)
    else if (step.do === 'group') await this.#setGroup(step.enabled)
    else if (step.do === 'link' || step.do === 'unlink') {
      const name = this.#names[step.check]!
      await this.world.setLinked(name, step.do === 'link')
      this.#receiver.noteLinked(name, step.do === 'link')
    } else if (step.do === 'hold' || step.do === 'release') await this.#setHeld(step)
    else if (step.do === 'acknowledge' || step.do === 'unacknowledge') {
      const name = this.#names[step.check]!
      await this.world.setAcknowledged?.(name, step.do === 'acknowledge')
      this.#receiver.noteAcknowledged(name, step.do === 'acknowledge')
    } else if (step.do === 'quota') await this.world.setQuota?.(step.messages)
    else if (step.do === 'again') await this.world.sendAgain?.(this.#names[step.check]!, step.kind)
    else await this.#setEnabled(step.do === 'enable')
  }

  async #setHeld({ do: what, check }: { do: 'hold' | 'release'; check: number }): Promise<void> {
    const name = this.#names[check]!
    await this.world.setHeld?.(name, what === 'hold')
    this.#receiver.noteHeld(name, what === 'hold')
  }

  async run(ok: boolean): Promise<void> {
    for (let round = 0; round < 100; round++) {
      const messages = await this.#take()
      if (messages.length === 0) return
      for (const message of messages) {
        if (ok) this.#receiver.gets(message)
        await (ok ? this.world.sent(message) : this.world.failed(message))
        if (ok) this.#receiver.settled(message)
      }
    }
    assert.fail('there is no end of messages')
  }

  async die({ after, arrived }: { after: number; arrived: boolean }): Promise<void> {
    const messages = await this.#take()
    for (const [index, message] of messages.entries()) {
      if (index < after) {
        this.#receiver.gets(message)
        await this.world.sent(message)
        this.#receiver.settled(message)
      } else {
        if (index === after && arrived) this.#receiver.gets(message)
        this.#receiver.mayGetAgain(message)
      }
    }
    await this.world.die()
  }

  async overlap({
    before,
    during,
    early,
    outcome,
  }: {
    before: readonly QuickStep[]
    during: readonly QuickStep[]
    early: boolean
    outcome: Outcome
  }): Promise<void> {
    for (const step of before) await this.apply(step)
    const messages = await this.#take()
    const arrive = () => {
      if (outcome !== 'refused') for (const message of messages) this.#receiver.gets(message)
    }
    if (early) arrive()
    for (const step of during) {
      await this.apply(step)
      await this.world.wait(1_000)
    }
    if (!early) arrive()
    for (const message of messages) {
      if (outcome === 'sent') {
        await this.world.sent(message)
        this.#receiver.settled(message)
      } else if (outcome !== 'died') await this.world.failed(message)
      if (outcome === 'lost' || outcome === 'died') this.#receiver.mayGetAgain(message)
    }
    if (outcome === 'died') await this.world.die()
  }

  /** If it is undone, nothing has happened. */
  async undo({ what, check, during }: Extract<Step, { do: 'undo' }>): Promise<void> {
    const name = this.#names[check]!
    const undo = await this.world.regret?.(name, what)
    if (!undo) return
    const before = this.#receiver.remember(name)
    if (what === 'pause') this.#receiver.noteChange(name, 'down', 'paused')
    else this.#receiver.noteLinked(name, false)
    before.news = this.#receiver.newsOf(name)
    before.closings = this.#receiver.closingsOf(name)
    for (const step of during) {
      if (step.do === 'run') await this.run(step.ok)
      else await this.apply(step)
      await this.world.wait(1_000)
    }
    // Another check may have its number.
    if (this.#names[check] !== name || !(await undo())) return
    this.#receiver.noteUndone(name, what, before)
  }

  async end(): Promise<void> {
    await this.#setEnabled(true)
    for (const check of this.#names.keys()) await this.#setHeld({ do: 'release', check })
    await this.rest()
    for (const [check, flip] of await this.world.truth()) {
      if (flip !== null && this.#receiver.isLinked(check)) await this.#change(check, 'up')
    }
    await this.#sendAll()
    this.#receiver.hasNothingOpen()
  }

  async rest(): Promise<void> {
    if (!this.#enabled) return
    await this.world.setQuota?.(Number.POSITIVE_INFINITY)
    await this.#sendAll()
    const { up, keepsOpen } = this.world.rules
    const owed = (await this.world.reported()).filter(check => !this.#receiver.isLinked(check))
    // Others are sent how it ended if they are linked again.
    if (!up || keepsOpen) assert.deepEqual(owed, [], 'of checks that are not linked nothing is owed')
    this.#receiver.knows(await this.world.truth())
  }

  async #take(): Promise<Message[]> {
    const messages = await this.world.take()
    assert.deepEqual(await this.world.unexplained(), [], 'T5: what is held or dropped says why')
    const truth = await this.world.truth()
    for (const message of messages) this.#receiver.begins(message, truth)
    return messages
  }

  async #sendAll(): Promise<void> {
    // A step of a policy may be due, though no delivery waits yet.
    await this.run(true)
    for (let round = 0; round < 40 && (await this.world.waiting()) > 0; round++) {
      await this.run(true)
      await this.world.wait(31 * MINUTE)
    }
    assert.equal(await this.world.waiting(), 0, 'nothing waits for ever')
  }

  async #change(check: number, to: 'down' | 'up' | 'paused'): Promise<void> {
    const before = await this.world.change(check, to)
    if (before !== null) this.#receiver.noteChange(check, before, to)
  }

  async #remove(index: number): Promise<void> {
    const name = this.#names[index]!
    await this.world.remove(name)
    this.#receiver.noteRemoved(name)
    this.#names[index] = this.#fresh++
    await this.#change(this.#names[index]!, 'up')
  }

  async #setGroup(enabled: boolean): Promise<void> {
    if (!this.world.viaGroup || this.#groupEnabled === enabled) return
    this.#groupEnabled = enabled
    await this.world.setGroup(enabled)
    this.#receiver.noteGroup(enabled, this.#names)
    if (enabled && this.#enabled) this.#receiver.isBroughtToTruth()
  }

  async #setEnabled(enabled: boolean): Promise<void> {
    await this.world.setEnabled(enabled)
    this.#noteEnabled(enabled)
  }

  #noteEnabled(enabled: boolean): void {
    if (enabled && !this.#enabled) this.#receiver.isBroughtToTruth()
    if (!enabled) this.#receiver.noteDisabled()
    this.#enabled = enabled
  }
}
