/** Large e-mails beside the pings of others, over a store whose transactions end when a test says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type MailDeps, recordMail } from '../../../src/actions/pings/record-mail.js'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import type { ArrivedPing, CheckOfProject, RecordedPings } from '../../../src/core/pings/arrived-ping.js'
import { Changes } from '../../../src/lib/changes.js'
import { partOfCheck } from '../../../src/storage/instance/parts.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { turnsUntil } from '../../_support/pass-time.js'
import { pingStore } from '../../_support/ping-store.js'

const NOW = 1_000_000
const LARGE = 1_500_000

test('a large e-mail is recorded in parts, and the pings of others come between them', async () => {
  const { queue, transactions, commitUntil, mail } = world()
  const outcomes = mail('A', 5, LARGE)
  await turnsUntil(() => transactions.length === 1)
  const other = queue.record(arrivedPing({ uuid: 'B' }, NOW))
  await commitUntil(() => transactions.length === 4)
  assert.deepEqual(transactions, ['A1 A2', 'B', 'A3 A4', 'A5'])
  assert.deepEqual([await outcomes, await other], [['ok', 'ok', 'ok', 'ok', 'ok'], 'ok'])
})

test('projects take turns when their large e-mails are recorded', async () => {
  const { transactions, commitUntil, mail } = world()
  const all = [mail('A', 1, LARGE), mail('A', 2, 4_000_000), mail('C', 2, 4_000_000)]
  await commitUntil(() => transactions.length === 5)
  assert.deepEqual(transactions, ['A1', 'A1', 'C1', 'A2', 'C2'])
  await Promise.all(all)
})

test('an e-mail of ordinary size to many checks is recorded in one transaction', async () => {
  const { transactions, commitUntil, mail } = world()
  const outcomes = mail('A', 100, 30_000)
  await commitUntil(() => transactions.length === 1)
  assert.equal((await outcomes).length, 100)
  assert.equal(transactions.length, 1)
})

test('a large e-mail holds only the deadlines of its checks, also when its turn does not come', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { queue, clock, transactions, commit, mail } = world()
  const first = mail('A', 1, LARGE)
  const late = assert.rejects(mail('C', 1, LARGE), { name: 'NoAnswerYet' })
  await turnsUntil(() => transactions.length === 1)
  clock.now += 7_000
  const [ofFirst, ofLate] = ['A1', 'C1'].map(name => partOfCheck(checkOf(name).checkId))
  assert.equal(queue.hearing.heardUntil(clock.now), clock.now)
  assert.deepEqual(queue.hearing.behind(), { [ofFirst!]: NOW, [ofLate!]: NOW })
  t.mock.timers.tick(8_000)
  await late
  await commit()
  assert.deepEqual(await first, ['ok'])
  assert.equal(queue.hearing.heardUntil(clock.now), clock.now)
  assert.deepEqual(queue.hearing.behind(), { [ofLate!]: NOW })
  // Its turn has ended.
  const next = mail('D', 1, LARGE)
  await turnsUntil(() => transactions.length === 2)
  await commit()
  assert.deepEqual(await next, ['ok'])
})

test('a large e-mail to a locked check leaves its turn to those of others', async () => {
  const { queue, locked, transactions, commit, commitUntil, mail } = world()
  locked.add('A1')
  const waiting = mail('A', 1, LARGE)
  await turnsUntil(() => transactions.length === 1)
  await commit()
  const other = mail('C', 1, LARGE)
  await turnsUntil(() => transactions.length > 1 && transactions.includes('C1'))
  assert.equal(queue.locked, 1)
  locked.clear()
  let isDone = false
  void Promise.all([waiting, other]).then(() => {
    isDone = true
  })
  await commitUntil(() => isDone)
  assert.deepEqual([await waiting, await other], [['ok'], ['ok']])
})

/** A queue, and e-mails to checks whose names are a letter, which stands for their project, and a number. */
function world() {
  const clock = { now: NOW }
  const transactions: string[] = []
  const commits: (() => void)[] = []
  const locked = new Set<string>()
  const record = async (pings: readonly ArrivedPing[]): Promise<RecordedPings> => {
    transactions.push(pings.map(nameOf).join(' '))
    await new Promise<void>(resolve => commits.push(resolve))
    const puts = new Map<number, CheckOfProject>()
    const outcomes = pings.map((ping, place) => {
      if (!locked.has(nameOf(ping))) return 'ok'
      puts.set(place, checkOf(nameOf(ping)))
      return 'locked'
    })
    return { outcomes, errors: [], alerts: false, wakeAt: null, ...(puts.size > 0 && { locked: puts }) }
  }
  const queue = new PingQueue(pingStore(record), new Changes(), assert.fail, () => {}, {
    now: () => clock.now,
  })
  const deps: MailDeps = {
    pings: queue,
    stamp: () => ({ ms: clock.now, us: 0 }),
    namedByMail: async targets =>
      targets.map(target => {
        const name = 'uuid' in target ? target.uuid : target.slug
        return { ...checkOf(name), isReader: false }
      }),
    readMail: async () => null,
  }
  /** Ends the transactions under way, and waits for what comes of that. */
  const commit = async () => {
    for (const end of commits.splice(0)) end()
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }
  return {
    clock,
    queue,
    transactions,
    locked,
    commit,
    /** Ends transactions until it is true, and then the last. */
    async commitUntil(isTrue: () => boolean) {
      for (let turn = 0; !isTrue(); turn++) {
        assert.ok(turn < 1_000, `it has not become true: ${transactions.join(', ')}`)
        await commit()
      }
      await commit()
    },
    /** Records an e-mail of so many bytes to the first checks of a project. */
    mail: (project: string, checks: number, bytes: number) => {
      const targets = Array.from({ length: checks }, (_, n) => ({ uuid: `${project}${n + 1}` }))
      return recordMail(deps, { targets, sender: '', remoteAddr: null, raw: new Uint8Array(bytes) })
    },
  }
}

function nameOf({ target }: ArrivedPing): string {
  return 'uuid' in target ? target.uuid : target.slug
}

/** The check with this name. */
function checkOf(name: string): CheckOfProject {
  const projectId = name.charCodeAt(0)
  return { checkId: projectId * 100 + Number(name.slice(1)), projectId }
}
