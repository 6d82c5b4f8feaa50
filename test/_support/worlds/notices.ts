import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { mailsJob } from '../../../src/jobs/dispatch/mails.js'
import { MailError } from '../../../src/lib/mail/mail-error.js'
import type { Mailer } from '../../../src/lib/mail/mailer.js'
import type { TeamMail } from '../../../src/storage/people/mails.js'
import type { Failed } from '../../../src/storage/set-aside.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../clock.js'
import { openFreshStore } from './store.js'

/** What a mailer does with an e-mail whose address has this domain: it is sent at once, refused for now, or hangs. */
export type Answers = Record<string, 'refuses' | 'hangs'>

/** Notices of projects to people, and a mail server that answers for each domain as `answers` says. */
export async function openNotices(t: TestContext, answers: Answers = {}) {
  const { store, raw, openAnother, remove } = await openFreshStore()
  const clock = new FakeClock()
  const begun: string[] = []
  const sent: string[] = []
  const outcomes: string[] = []
  const aside: Failed[] = []
  const hanging: (() => void)[] = []
  const ends: (() => Promise<unknown>)[] = [remove]
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const mailer: Mailer = {
    async send({ to }, signal) {
      begun.push(to)
      const answer = answers[to.slice(to.indexOf('@') + 1)]
      if (answer === 'refuses') throw new MailError('The mail server answered: 451 later', false, false, null)
      if (answer === 'hangs') await hang(signal!)
      sent.push(to)
    },
  }
  const hang = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.throwIfAborted()
      signal.addEventListener('abort', () => reject(signal.reason))
      hanging.push(resolve)
    })
  const depsOf = (of: Store, worker: string) => ({
    store: of,
    clock,
    mailer,
    secretKey: 'secret',
    hearsBounces: false,
    site: { name: 'Punctual', root: 'http://localhost:8000' },
    quotas: { messages: 500, calls: 500 },
    worker,
    onError: assert.ifError,
    onSetAside: (failed: Failed) => void aside.push(failed),
    onMail: ({ outcome, error = '' }: { outcome: string; error?: string }) =>
      void outcomes.push(error || outcome),
  })
  return {
    store,
    raw,
    clock,
    begun,
    sent,
    outcomes,
    /** What could not be claimed or settled for a row. */
    aside,
    deps: depsOf(store, 'me'),
    /** Lets the e-mails that hang be sent. */
    letGo() {
      for (const resolve of hanging.splice(0)) resolve()
    },
    /** Starts the job, in another process if that is said. */
    async start({ another = false } = {}) {
      const other = another ? await openAnother() : null
      if (other) ends.push(() => other.close())
      const job = mailsJob(depsOf(other ?? store, other ? 'another' : 'me'))
      job.start()
      ends.push(() => job.stop())
      return job
    },
    /** Queues a notice of a new project to each of these people, who are new too. */
    async queue(...emails: string[]) {
      const projectId = await createProject(store, emails)
      const channel = { projectId, name: '', kind: 'sms', settings: {}, members: [], now: 1 }
      const { uuid } = await store.channels.create(channel)
      const channelId = Number((await raw(`SELECT id FROM channels WHERE uuid = '${uuid}'`))[0]!.id)
      const words = { kind: 'notice', subject: 'Over', text: '', html: '', unsubscribeUrl: '' } as const
      const limit = { key: uuid, capacity: 1, periodMs: 1_000 }
      await failWithNotice(store, channelId, { ...words, limit }, clock.now())
      return { projectId }
    },
  }
}

/** Creates a project with these people, and returns its ID. */
async function createProject(store: Store, emails: readonly string[]): Promise<number> {
  const { id } = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: 1 })
  for (const email of emails) {
    const user = await store.people.createUser({ email, passwordHash: null, emailProven: true, now: 1 })
    await store.projects.putMember({ projectId: id, userId: user.id, role: 'readonly', now: 1 })
  }
  return id
}

/** Settles a failure of a channel that queues this e-mail to the people of its project. */
export async function failWithNotice(
  store: Store,
  channelId: number,
  mail: TeamMail,
  now: number,
): Promise<void> {
  await store.alerts.settleMessage({
    worker: 'tests',
    channelId,
    sentWith: { settings: {}, enablings: 0 },
    parts: [],
    startedAt: now,
    durationMs: 1,
    now,
    outcome: { type: 'failed', error: 'Over', mail },
  })
}
