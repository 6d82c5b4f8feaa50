import { flipsOf } from '../../src/actions/alerts/send-message.js'
import type { ClaimOptions } from './claim.js'
import type { StoreHarness } from './worlds/store-harness.js'

/** Sends and settles everything that may be sent now. Returns the messages as `check status`. */
export async function sendAll(
  scene: StoreHarness,
  options: Omit<ClaimOptions, 'worker'> = {},
): Promise<string[]> {
  const sent: string[] = []
  for (const message of await scene.claim('me', options)) {
    for (const part of message.parts) {
      const { due, closing } = part
      const { lines } = await scene.store.alerts.digestFacts(scene.projectId, flipsOf([part]))
      sent.push(`${closing?.check.slug ?? lines[0]!.check.slug} ${due!.change.status}`)
    }
    await scene.settle(message, 'sent')
  }
  return sent.sort()
}
