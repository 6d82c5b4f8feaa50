/** Plays a history in which no message is ever on its way between two steps, and returns what was sent. */
import type { QuietStep } from './steps.js'
import type { World } from './world.js'

/** The parts of a history that are left out; time passes as if they were there. */
export interface LeftOut {
  holds?: boolean
  restarts?: boolean
}

/** A message in words, such as `alert: check 1 down at 1768478401000`, with when it was sent. */
export async function playCalm(
  world: World,
  steps: readonly QuietStep[],
  leftOut: LeftOut = {},
): Promise<string[]> {
  const sent: string[] = []
  const send = async (ok: boolean) => {
    for (;;) {
      const messages = await world.take()
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
    else if (step.do === 'restart') {
      if (!leftOut.restarts) await world.restart?.()
    } else if (step.do === 'hold' || step.do === 'release') {
      if (leftOut.holds) await world.wait(1)
      else await world.setHeld?.(step.check, step.do === 'hold')
    } else if (step.do === 'again') await world.sendAgain?.(step.check, step.kind)
    else await world.setAcknowledged?.(step.check, step.do === 'acknowledge')
    await world.wait(1_000)
  }
  return sent
}
