/** Plays a history and holds what the receiver got against T2, T3 and T6 of decision 0102. */
import assert from 'node:assert/strict'
import { CHECKS, type Step } from './steps.js'
import type { Message, Part, World } from './world.js'

const MINUTE = 60_000

interface Learned {
  down: boolean
  flip: number | null
}

/** What the receiver knows, from what arrived. */
class Receiver {
  readonly learned = new Map<number, Learned>()
  /** Checks whose incident was closed by a pause or a deletion, of which only some kinds hear. */
  readonly closedByPeople = new Set<number>()
  /** How often each delivery arrived, and how often it was in flight when the process died. */
  readonly #arrived = new Map<string, number>()
  readonly #cutOff = new Map<string, number>()
  /** Checks that are not linked to the channel, and those whose incident it need not know, since they were not. */
  readonly unlinked = new Set<number>()
  readonly excused = new Set<number>()
  /** Checks of which a message was in flight when the process died: the next message may say what is known already. */
  readonly #uncertain = new Set<number>()

  constructor(readonly world: World) {}

  cutOff({ parts }: Message): void {
    for (const { uuid, check } of parts) {
      this.#cutOff.set(uuid, (this.#cutOff.get(uuid) ?? 0) + 1)
      this.#uncertain.add(check)
    }
  }

  /** What is begun is about checks that are linked, or closes what they left open. */
  isMeant({ parts }: Message): void {
    for (const part of parts) {
      const isMeant = !this.unlinked.has(part.check) || part.status === 'deleted'
      assert.ok(isMeant, `${say(part)} is begun, though the check is not linked`)
    }
  }

  gets({ form, parts }: Message): void {
    for (const part of parts) {
      const times = (this.#arrived.get(part.uuid) ?? 0) + 1
      this.#arrived.set(part.uuid, times)
      const repeats = this.#cutOff.get(part.uuid) ?? 0
      assert.ok(times <= 1 + repeats, `T6: ${say(part)} came ${times} times, in flight at ${repeats} kills`)
      if (!this.#uncertain.delete(part.check)) this.#isDue(part, form === 'steady' || form === 'flapping')
      this.closedByPeople.delete(part.check)
      this.learned.set(part.check, { down: part.status === 'down', flip: part.flip })
    }
  }

  #isDue(part: Part, promised: boolean): void {
    const { rules } = this.world
    const known = this.learned.get(part.check) ?? { down: false, flip: null }
    if (part.status === 'down') {
      const isNews = promised || known.flip !== part.flip || this.excused.has(part.check)
      assert.ok(isNews, `T2: ${say(part)} was known`)
      return
    }
    if (known.down || promised || !rules.down) return
    // What was tried may have arrived, and may be open.
    const mayBeOpen = part.status === 'paused' || part.status === 'deleted'
    assert.ok(
      part.missedDown || mayBeOpen,
      `T3: ${say(part)}, but the channel never learned that it was down`,
    )
    const unsent = this.world.unsent?.(part.check) ?? []
    const heldAlone = unsent.length > 0 && unsent.every(({ held, tried }) => held && !tried)
    assert.ok(!heldAlone, `T3: ${say(part)}, though its down alert was only held back`)
  }
}

const say = ({ check, status, flip }: Part) => `check ${check} ${status} (flip ${flip})`

export async function play(world: World, steps: readonly Step[]): Promise<void> {
  const receiver = new Receiver(world)
  const names = Array.from({ length: CHECKS }, (_, index) => index)
  const change = async (check: number, to: 'down' | 'up' | 'paused') => {
    const before = await world.change(check, to)
    if (before === null) return
    if (to === 'down' && !receiver.unlinked.has(check)) receiver.excused.delete(check)
    if (before === 'down' && to === 'paused') receiver.closedByPeople.add(check)
  }
  for (const name of names) await change(name, 'up')
  let fresh = CHECKS
  for (const step of steps) {
    if (step.do === 'change') await change(names[step.check]!, step.to)
    else if (step.do === 'storm') for (const name of names) await change(name, step.to)
    else if (step.do === 'at once')
      await Promise.all([change(names[step.check]!, step.to), world.setEnabled(step.enabled)])
    else if (step.do === 'wait') await world.wait(step.seconds * 1_000)
    else if (step.do === 'run') await run(world, receiver, step.ok)
    else if (step.do === 'die') await die(world, receiver, step)
    else if (step.do === 'remove') {
      await world.remove(names[step.check]!)
      receiver.closedByPeople.add(names[step.check]!)
      names[step.check] = fresh++
      await change(names[step.check]!, 'up')
    } else if (step.do === 'link' || step.do === 'unlink') {
      await link(world, receiver, names[step.check]!, step.do === 'link')
    } else await world.setEnabled(step.do === 'enable')
    await world.wait(1_000)
  }
  await world.setEnabled(true)
  for (let round = 0; round < 40 && (await world.waiting()) > 0; round++) {
    await run(world, receiver, true)
    await world.wait(31 * MINUTE)
  }
  assert.equal(await world.waiting(), 0, 'nothing waits for ever')
  const owed = (await world.reported()).filter(check => receiver.unlinked.has(check))
  assert.deepEqual(owed, [], 'of checks that are not linked nothing is owed')
  await isTrue(world, receiver)
}

async function link(world: World, receiver: Receiver, check: number, linked: boolean): Promise<void> {
  await world.setLinked(check, linked)
  if (linked) receiver.unlinked.delete(check)
  else {
    receiver.unlinked.add(check)
    receiver.excused.add(check)
    receiver.closedByPeople.add(check)
  }
}

async function run(world: World, receiver: Receiver, ok: boolean): Promise<void> {
  for (let round = 0; round < 100; round++) {
    const messages = await world.take()
    if (messages.length === 0) return
    for (const message of messages) {
      receiver.isMeant(message)
      if (ok) receiver.gets(message)
      await (ok ? world.sent(message) : world.failed(message))
    }
  }
  assert.fail('there is no end of messages')
}

async function die(
  world: World,
  receiver: Receiver,
  { after, arrived }: { after: number; arrived: boolean },
): Promise<void> {
  const messages = await world.take()
  for (const [index, message] of messages.entries()) {
    receiver.isMeant(message)
    if (index < after) {
      receiver.gets(message)
      await world.sent(message)
    } else {
      if (index === after && arrived) receiver.gets(message)
      receiver.cutOff(message)
    }
  }
  await world.die()
}

/** In the end the channel knows what is true, as far as it wants to. */
async function isTrue(world: World, { learned, closedByPeople, unlinked, excused }: Receiver): Promise<void> {
  const { rules } = world
  const truth = await world.truth()
  for (const [check, flip] of truth) {
    if (flip === null || !rules.down || unlinked.has(check) || excused.has(check)) continue
    assert.deepEqual(learned.get(check), { down: true, flip }, `T3: that check ${check} is down is not known`)
  }
  for (const [check, known] of learned) {
    const isDown = (truth.get(check) ?? null) !== null && !unlinked.has(check)
    if (!known.down || isDown || !rules.up) continue
    const silently = closedByPeople.has(check) && !rules.keepsOpen
    assert.ok(silently, `T2: that check ${check} is not down any more is not known`)
  }
}
