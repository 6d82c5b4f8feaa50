import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { mailsJob } from '../../../src/jobs/dispatch/mails.js'
import { reportsJob } from '../../../src/jobs/reports.js'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import type { ReportWishes } from '../../../src/storage/reports/reports.js'
import type { Failed } from '../../../src/storage/set-aside.js'
import { FakeClock } from '../clock.js'
import { eventually } from '../eventually.js'
import { type MailServer, openMailServer } from '../servers/mail-server.js'
import { openTestStore } from './store.js'
import { StoreHarness } from './store-harness.js'

const HOUR = 3_600_000

/** The key that signs the links of its e-mails. */
export const OFFICE_SECRET = 'known to the tests alone'

/** A user with a project, the jobs that work for them, and their mailbox. */
export class ReportHarness {
  readonly clock = new FakeClock(Date.parse('2026-03-04T12:00:00Z'))
  readonly outcomes: string[] = []
  private readonly stops: (() => Promise<void>)[] = []

  private constructor(
    readonly scene: StoreHarness,
    readonly server: MailServer,
    readonly user: { id: number; uuid: string },
  ) {}

  static async run(
    t: TestContext,
    wishes: ReportWishes,
    body: (office: ReportHarness) => Promise<void>,
    { timezone = 'UTC', server }: { timezone?: string; server?: MailServer } = {},
  ): Promise<void> {
    const store = await openTestStore(t)
    const email = 'alice@example.org'
    const user = await store.people.createUser({
      email,
      passwordHash: null,
      emailProven: true,
      timezone,
      now: 1,
    })
    const project = await store.projects.create({ name: 'Alpha', ownerId: user.id, pingKey: 'key', now: 1 })
    await store.reports.setWishes(user.uuid, wishes)
    const scene = new StoreHarness(store, project.id)
    const office = new ReportHarness(scene, server ?? (await openMailServer(t)), user)
    scene.now = office.clock.now()
    try {
      await body(office)
    } finally {
      for (const stop of office.stops) await stop()
    }
  }

  /** Starts the jobs that queue reports and send e-mails. */
  start(worker = 'me'): { wake(): void; stop(): Promise<void> } {
    const errors: unknown[] = []
    const deps = {
      store: this.scene.store,
      clock: this.clock,
      mailer: createMailer(this.server.options),
      site: { name: 'Punctual', root: 'http://localhost:8000' },
      secretKey: OFFICE_SECRET,
      hearsBounces: false,
      quotas: { messages: 500, calls: 500 },
      worker,
      onError: (error: unknown) => void errors.push(error),
      onSetAside: ({ error }: Failed) => void errors.push(error),
      onMail: ({ kind, outcome }: { kind: string; outcome: string }) =>
        void this.outcomes.push(`${kind} ${outcome}`),
    }
    const jobs = [reportsJob(deps), mailsJob(deps)]
    for (const job of jobs) job.start()
    const stop = async () => {
      await Promise.all(jobs.map(job => job.stop()))
      assert.deepEqual(errors, [])
    }
    this.stops.push(stop)
    return {
      wake() {
        for (const job of jobs) job.wake()
      },
      stop,
    }
  }

  /** Goes to an instant, or forward by this many ms. */
  go(to: string | number): void {
    const ms = typeof to === 'number' ? to : Date.parse(`2026-${to}Z`) - this.clock.now()
    this.clock.advance(ms / 1000)
    this.scene.now = this.clock.now()
  }

  async ping(slug: string, action: ArrivedPing['action'] = 'success'): Promise<void> {
    await this.scene.ping(slug, action)
  }

  get subjects(): string[] {
    return this.server.mails.map(({ headers }) => headers.subject ?? '')
  }

  /** Waits until nothing is due: everything has been planned and sent. */
  async settled(...jobs: { wake(): void }[]): Promise<void> {
    const { store } = this.scene
    await eventually(async () => {
      for (const job of jobs) job.wake()
      await sleep(10)
      const now = this.clock.now()
      const [next, unplanned] = [await store.reports.nextWork(), await store.reports.dueReports(now, 10)]
      // Seen from later, when every claim has run out, what is under way counts too.
      const unsent = await store.people.dueMails({ now: now + HOUR, after: null, limit: 1 })
      return (next === null || next > now) && unplanned.length === 0 && unsent.length === 0
    })
  }
}
