/** Pings, and checks that go down. */
import type { Act } from '../act.js'
import type { Tenant } from '../tenant.js'
import { failAll, watch } from './checks.js'

const slugs = (t: Tenant, count: number) =>
  Array.from({ length: count }, (_, n) => `/ping/${t.arena.pingKey}/new-${n}?create=1`)
const fails = (t: Tenant, count: number) => t.checks.slice(0, count).map(uuid => `/ping/${uuid}/fail`)

/** Lets so many checks fail, then all recover, and so on, for so long (ms). */
async function failByTurns(t: Tenant, count: number, forMs: number): Promise<void> {
  const end = Date.now() + forMs
  for (let turn = 0; Date.now() < end; turn++)
    await t.ping(turn % 2 === 0 ? fails(t, count) : fails(t, count).map(path => path.replace(/\/fail$/, '')))
}

/** Lets so many checks go silent at one instant, which is so long after now (ms). */
const silentAll = (count: number, inMs: number): NonNullable<Act['alter']> =>
  async function alter(database) {
    const at = Date.now() + inMs
    await database.value(
      `UPDATE checks SET last_ping = ?, due_at = ?, alert_after = ?, wake_at = ? WHERE id <= ${count}`,
      ...[at - 60_000 - 86_400_000, at - 60_000, at, at],
    )
  }

/** What the quiet tenant notices without any other. */
export const quietActs: readonly Act[] = [
  { name: 'nothing', arena: 'wide', act: () => watch(3) },
  { name: 'nothing on 10,000 checks', arena: 'many', act: () => watch(3) },
]

export const pingActs: readonly Act[] = [
  { name: 'create 1,000 checks of 500 channels by pings', arena: 'bare', act: t => t.ping(slugs(t, 1_000)) },
  {
    name: 'create 200 checks of 500 channels by pings at once',
    arena: 'bare',
    act: t => t.ping(slugs(t, 200), 200),
  },
  {
    name: '200 checks of 500 channels fail at once',
    arena: 'few',
    act: t => t.ping(fails(t, 200), 200),
    afterMs: 15_000,
  },
  {
    name: '200 checks of 500 channels that hang fail at once',
    arena: 'fewHanging',
    act: t => t.ping(fails(t, 200), 200),
    afterMs: 15_000,
  },
  {
    name: '200 checks of 500 channels recover at once',
    arena: 'fewHanging',
    prepare: failAll,
    act: t =>
      t.ping(
        t.checks.map(uuid => `/ping/${uuid}`),
        200,
      ),
    afterMs: 15_000,
  },
  {
    name: '32 failures and 32 successes of a check of 500 channels at once',
    arena: 'few',
    act: t =>
      t.ping(Array.from({ length: 64 }, (_, n) => `/ping/${t.checks[0]}${n % 2 === 0 ? '/fail' : ''}`)),
    afterMs: 10_000,
  },
  {
    name: '60 checks of 500 channels fail and recover by turns for 15 s',
    arena: 'few',
    act: t => failByTurns(t, 60, 15_000),
    afterMs: 30_000,
  },
  ...(
    [
      ['fewDripping', 'send a byte at a time without end'],
      ['fewEndless', 'send as fast as they can without end'],
      ['fewLimited', 'answer 429'],
      ['fewRedirected', 'redirect to themselves'],
      ['fewLate', 'answer after 4 s'],
    ] as const
  ).map(
    ([arena, what]): Act => ({
      name: `60 checks of 60 channels that ${what} fail and recover by turns for 20 s`,
      arena,
      act: t => failByTurns(t, 60, 20_000),
      afterMs: 10_000,
    }),
  ),
  {
    name: 'pings with bodies of 100 kB for 10 s, 20 at once',
    arena: 'many',
    act: t =>
      t.send(
        t.checks.map(uuid => `/ping/${uuid}`),
        { forMs: 10_000, atOnce: 20, bytes: 100_000 },
      ),
  },
  {
    name: '200 checks of 500 channels go silent at once',
    arena: 'few',
    alter: silentAll(200, 6_000),
    act: () => watch(6),
    afterMs: 15_000,
  },
  {
    name: '2,000 checks of 500 channels go silent at once',
    arena: 'wide',
    alter: silentAll(2_000, 6_000),
    act: () => watch(6),
    afterMs: 30_000,
  },
  {
    name: '10,000 checks go silent at once',
    arena: 'many',
    alter: silentAll(10_000, 8_000),
    act: () => watch(8),
    afterMs: 15_000,
  },
  { name: '10,000 checks fail', arena: 'many', act: failAll, afterMs: 10_000 },
  {
    name: 'a check on which 10,000 depend goes down',
    arena: 'dependants',
    act: t => t.ping(fails(t, 1)),
    afterMs: 8_000,
  },
  {
    name: 'a check on which 10,000 depend that are down recovers',
    arena: 'dependants',
    prepare: failAll,
    act: t => t.ping([`/ping/${t.checks[0]}`]),
    afterMs: 20_000,
  },
  {
    name: 'the first check of a chain of 10,000 goes down',
    arena: 'chained',
    act: t => t.ping(fails(t, 1)),
    afterMs: 8_000,
  },
  {
    name: 'the checks of a chain of 10,000 fail, the last one first',
    arena: 'chained',
    act: t => t.ping(fails(t, 10_000).reverse()),
    afterMs: 10_000,
  },
  {
    name: 'the first check of a chain of 10,000 that are down recovers',
    arena: 'chained',
    prepare: failAll,
    act: t => t.ping([`/ping/${t.checks[0]}`]),
    afterMs: 20_000,
  },
]
