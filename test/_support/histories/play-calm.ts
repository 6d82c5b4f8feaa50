/** Plays a history in which no message is ever on its way between two steps, and returns what was sent. */
import assert from 'node:assert/strict'
import type { QuietStep } from './steps.js'
import type { World } from './world.js'

/** Returns the messages in words, each with when it was sent. `restarts`: whether the process ends and starts again; `regrets`: whether
 * what is undone is done before. */
export async function playCalm(
  world: World,
  steps: readonly QuietStep[],
  { restarts, regrets = true }: { restarts: boolean; regrets?: boolean },
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
      const undo = regrets ? await world.regret?.(step.check, step.what) : null
      await world.wait(step.seconds * 1_000)
      if (undo) assert.equal(await undo(), true, 'it is undone')
    } else if (step.do === 'restart') {
      if (restarts) await world.restart?.()
    } else if (step.do === 'hold' || step.do === 'release') {
      await world.setHeld?.(step.check, step.do === 'hold')
    } else if (step.do === 'again') await world.sendAgain?.(step.check, step.kind)
    else await world.setAcknowledged?.(step.check, step.do === 'acknowledge')
    await world.wait(1_000)
  }
  return sent
}
