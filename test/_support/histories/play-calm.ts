/** Plays a history in which no message is ever on its way between two steps, and returns what was sent. */
import assert from 'node:assert/strict'
import type { QuietStep } from './steps.js'
import type { World } from './world.js'

const MINUTE = 60_000
const LATE_MS = 5_001

/** Returns the messages in words, each with when it was sent. `restarts`: whether the process ends and starts again; `regrets`: whether
 * what is undone is done before; `toTheEnd`: in the end the channel is
 * enabled and sent all that waits. */
export async function playCalm(
  world: World,
  steps: readonly QuietStep[],
  {
    restarts,
    regrets = true,
    toTheEnd = false,
  }: { restarts: boolean; regrets?: boolean; toTheEnd?: boolean },
): Promise<string[]> {
  const sent: string[] = []
  const send = async (ok: boolean) => {
    for (;;) {
      const messages = await world.take()
      assert.deepEqual(await world.unexplained(), [], 'T5: what is held or dropped says why')
      if (messages.length === 0) return
      for (const message of messages) {
        const parts = message.parts.map(part => JSON.stringify({ ...part, uuid: '' }))
        sent.push(`${world.now()} ${ok ? 'sent' : 'failed'} ${message.form} ${parts.sort().join(' ')}`)
        await (ok ? world.sent(message) : world.failed(message))
      }
    }
  }
  for (const step of steps) {
    if (step.do === 'change') await world.change(step.check, step.to)
    else if (step.do === 'wait') await world.wait(step.seconds * 1_000)
    else if (step.do === 'run') await send(step.ok)
    else if (step.do === 'undo soon') {
      // A change that happened just before a link was removed counts as one since, because it may be stored late.
      await world.wait(LATE_MS)
      const undo = regrets ? await world.regret?.(step.check, step.what) : null
      await world.wait(step.seconds * 1_000)
      if (undo) assert.equal(await undo(), true, 'it is undone')
    } else if (step.do === 'restart') {
      if (restarts) await world.restart?.()
    } else if (step.do === 'hold' || step.do === 'release') {
      await world.setHeld?.(step.check, step.do === 'hold')
    } else if (step.do === 'again') await world.sendAgain?.(step.check, step.kind)
    else if (step.do === 'link' || step.do === 'unlink') await world.setLinked(step.check, step.do === 'link')
    else if (step.do === 'group') await world.setGroup(step.enabled)
    else if (step.do === 'acknowledge' || step.do === 'unacknowledge') {
      await world.setAcknowledged?.(step.check, step.do === 'acknowledge')
    } else await world.setEnabled(step.do === 'enable')
    await world.wait(1_000)
  }
  if (toTheEnd) {
    await world.setGroup(true)
    await world.setEnabled(true)
    await send(true)
    for (let round = 0; round < 40 && (await world.waiting()) > 0; round++) {
      await world.wait(31 * MINUTE)
      await send(true)
    }
  }
  return sent
}
