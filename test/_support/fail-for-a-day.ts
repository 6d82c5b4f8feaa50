import type { Notice } from '../../src/core/alerts/alert.js'
import type { StoreHarness } from './worlds/store-harness.js'

const HOUR = 3_600_000

/**
 * Lets every attempt through the channels named `name` fail for almost a day, hour by hour. After one more failure an
 * hour later they are unreachable. No deliveries are left waiting.
 */
export async function failForADay(scene: StoreHarness, name: string): Promise<void> {
  const before = await scene.checkUuids()
  await scene.ping('tried-for-a-day', 'fail')
  const unreachable: Omit<Notice, 'now' | 'site'> = { type: 'notice', title: '', text: '', url: '' }
  for (const message of await scene.claim()) {
    const tries = message.channel.name === name ? 24 : 0
    for (let hour = 0; hour < tries; hour++) {
      await scene.settle(message, { type: 'retry', error: 'away', retryAt: scene.now, unreachable })
      scene.now += HOUR
    }
    if (tries === 0) await scene.settle(message, 'sent')
  }
  const added = (await scene.checkUuids()).filter(uuid => !before.includes(uuid))
  for (const uuid of added) await scene.store.checks.delete(scene.projectId, uuid, scene.now)
  await scene.claim()
}
