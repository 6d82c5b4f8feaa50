import type { TestContext } from 'node:test'
import { composeChannelNotice } from '../../../src/actions/alerts/compose-channel-notice.js'
import { integrationOf } from '../../../src/integrations/index.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import { claimMails } from '../claim-mails.js'
import { FakeClock } from '../clock.js'
import { testDelivery } from './delivery.js'
import { openTestStore } from './store.js'
import { StoreHarness } from './store-harness.js'

export const HOUR_MS = 3_600_000

type Trouble = 'disabled' | 'unreachable'

export type FailingChannel = Awaited<ReturnType<typeof openFailingChannel>>

/** What people are told about the channel A. */
export const TITLES = {
  disabled: 'The Webhook integration “A” was disabled',
  unreachable: 'The Webhook integration “A” cannot be reached',
}

/** A project with a manager, a member, and the channel A, which fails. With `owned`, a person owns it. */
export async function openFailingChannel(t: TestContext, { sendsMail = true, owned = false } = {}) {
  const store = await openTestStore(t)
  const person = async (name: string) =>
    await store.people.createUser({
      email: `${name}@example.org`,
      passwordHash: null,
      emailProven: true,
      now: 1,
    })
  const people = {
    owner: await person('owner'),
    manager: await person('manager'),
    member: await person('member'),
    stranger: await person('stranger'),
  }
  const ownerId = owned ? people.owner.id : null
  const { id: projectId } = await store.projects.create({ name: 'Alice', ownerId, pingKey: 'key', now: 1 })
  for (const role of ['manager', 'member'] as const)
    await store.projects.putMember({ projectId, userId: people[role].id, role, now: 1 })
  const scene = new StoreHarness(store, projectId)
  const a = await scene.addChannel('A', { method_down: 'POST', url_down: 'https://down.example/' })
  const deps = { ...testDelivery(store, new FakeClock(scene.now)), sendsMail }
  const add = (
    kind: string,
    settings: Record<string, string> = {},
    { name = 'B', confirmed = true }: { name?: string; confirmed?: boolean } = {},
  ) => store.channels.create({ projectId, kind, name, settings, members: [], confirmed, now: scene.now })
  const failedWith = (trouble: Trouble, { uuid, name }: ClaimedMessage['channel']) => {
    const channel = { uuid, name, settings: {} }
    const notice = composeChannelNotice(deps, channel, integrationOf('webhook')!, { trouble, error: 'gone' })
    return { error: 'gone', [trouble]: notice }
  }
  /** The channels `failing` fail; everything else arrives. Returns the notices that are waiting then. */
  const fail = async (trouble: Trouble, failing = ['A']): Promise<ClaimedMessage[]> => {
    await scene.ping('backup', 'fail')
    for (let hour = 0; hour < (trouble === 'disabled' ? 1 : 30); hour++) {
      const notices: ClaimedMessage[] = []
      for (const message of await scene.claim()) {
        const isFailing = failing.includes(message.channel.name)
        if (message.form === 'notice' && !isFailing) {
          notices.push(message)
          continue
        }
        const retryAt = scene.now + HOUR_MS
        const failed = { type: 'retry' as const, retryAt, ...failedWith(trouble, message.channel) }
        await scene.settle(message, isFailing ? failed : 'sent')
      }
      if (notices.length > 0) return notices
      if (trouble === 'unreachable') scene.now += HOUR_MS
    }
    return (await scene.claim()).filter(({ form }) => form === 'notice')
  }
  const mails = async () => {
    const claim = { worker: 'me', now: scene.now, leaseUntil: scene.now + 1 }
    return (await claimMails(store, claim)).map(({ to, subject }) => `${to}: ${subject}`)
  }
  return { scene, store, people, a, deps, add, fail, failedWith, mails }
}

/** A person enables the channel A, and it fails for good again. Returns the notices that wait since. */
export async function failAgain({ scene, store, a, fail }: FailingChannel): Promise<ClaimedMessage[]> {
  scene.now += 1_000
  await store.channels.setEnabled(a.id, true, scene.now)
  await scene.ping('backup')
  return await fail('disabled')
}
