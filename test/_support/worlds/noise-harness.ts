import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { integrationOf } from '../../../src/integrations/index.js'
import { email } from '../../../src/integrations/kinds/email.js'
import { deliveriesJob } from '../../../src/jobs/dispatch/deliveries.js'
import type { Store } from '../../../src/storage/store.js'
import { testWays } from '../alert.js'
import { FakeClock } from '../clock.js'
import { eventually } from '../eventually.js'
import { type MailServer, openMailServer } from '../servers/mail-server.js'
import { testDelivery } from './delivery.js'
import { StoreHarness } from './store-harness.js'

/** A harness with an e-mail channel, a mail server, and dispatchers that are stopped before the store closes. */
export class NoiseHarness {
  readonly clock = new FakeClock()
  readonly outcomes: string[] = []
  private readonly stops: (() => Promise<void>)[] = []

  private constructor(
    readonly scene: StoreHarness,
    readonly server: MailServer,
  ) {}

  static async run(
    t: TestContext,
    body: (quiet: NoiseHarness) => Promise<void>,
    server?: MailServer,
  ): Promise<void> {
    const quiet = new NoiseHarness(await StoreHarness.open(t), server ?? (await openMailServer(t)))
    quiet.scene.now = quiet.clock.now()
    try {
      await body(quiet)
    } finally {
      await quiet.stop()
    }
  }

  async addMailbox(settings: Record<string, string> = {}) {
    return await this.scene.store.channels.create({
      projectId: this.scene.projectId,
      name: 'Mailbox',
      kind: 'email',
      settings: checkSettings(integrationOf('email') ?? email, { value: 'alice@example.org', ...settings }),
      members: [],
      now: this.clock.now(),
    })
  }

  /** Starts a dispatcher; it may have a way to the store of its own, and then errors are its own affair. */
  start(store: Store = this.scene.store, worker = 'tests') {
    const delivery = { ...testDelivery(store, this.clock), worker }
    const errors: unknown[] = []
    const { changes } = store
    const job = deliveriesJob({
      ...delivery,
      changes,
      transports: signal => testWays(this.server.options, { signal }),
      onDelivery: ({ outcome }) => this.outcomes.push(outcome),
      onError: error => errors.push(error),
      onSetAside: ({ error }) => errors.push(error),
    })
    job.start()
    this.stops.push(async () => {
      await job.stop()
      if (store === this.scene.store) assert.deepEqual(errors, [])
    })
    return { changes, wake: () => changes.emit('deliveries', {}), stop: job.stop }
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.splice(0)) await stop()
  }

  advance(ms: number): void {
    this.clock.advance(ms / 1000)
    this.scene.now = this.clock.now()
  }

  get subjects(): string[] {
    return this.server.mails.map(({ headers }) => headers.subject ?? '')
  }

  /** Lets everything that is due be made: resolves when nothing is, and nothing is under way. */
  async settled(channelId: number, { wake }: { wake(): void }): Promise<void> {
    wake()
    await eventually(
      async () => {
        const { waiting } = await this.scene.store.channels.log(channelId, 5_000)
        const later = waiting.filter(({ dueAt }) => dueAt > this.clock.now())
        // A change waits behind an older one of its check, even if it is due.
        const held = new Set(later.map(({ check }) => check?.uuid))
        return waiting.every(({ check }) => held.has(check?.uuid))
      },
      () => `there are still due deliveries; sent: ${this.subjects}`,
    )
  }
}
