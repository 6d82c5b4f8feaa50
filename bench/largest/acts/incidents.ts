/** Changes of policies, silences and incidents while 10,000 checks are down. */
import type { Act } from '../act.js'
import type { Tenant } from '../tenant.js'
import { failAll } from './checks.js'

const NATIVE = '/api/punctual/v1'

const HOUR_S = 3_600
const stepsOf = (t: Tenant, count: number) => [
  { after: 0, channels: 'check' },
  ...Array.from({ length: count - 1 }, (_, n) => ({ after: HOUR_S * (n + 1), channels: t.arena.channels })),
]
const inAnHour = () => new Date(Date.now() + HOUR_S * 1_000).toISOString()
const silence = (t: Tenant, more: object = {}) =>
  t.api('POST', `${NATIVE}/silences`, { scope: { project: true }, when: { to: inAnHour() }, ...more })
const nothingExpected = { mode: 'expect_nothing' }

export const incidentActs: readonly Act[] = [
  {
    name: 'create a default policy while 10,000 checks are down',
    arena: 'hanging',
    prepare: failAll,
    act: t => t.api('POST', `${NATIVE}/policies`, { name: 'New', default: true, steps: stepsOf(t, 2) }),
    afterMs: 8_000,
  },
  {
    name: 'change a policy of 10,000 open incidents to 10 steps of 100 channels',
    arena: 'policied',
    prepare: failAll,
    act: t => t.api('PATCH', `${NATIVE}/policies/1`, { steps: stepsOf(t, 10) }),
    afterMs: 8_000,
  },
  {
    name: 'change a policy of 10,000 open incidents: 100 channels at once',
    arena: 'policied',
    prepare: failAll,
    act: t =>
      t.api('PATCH', `${NATIVE}/policies/1`, {
        steps: [
          { after: 0, channels: 'check' },
          { after: 1, channels: t.arena.channels },
        ],
      }),
    afterMs: 15_000,
  },
  {
    name: 'delete a policy of 10,000 open incidents',
    arena: 'policied',
    prepare: failAll,
    act: t => t.api('DELETE', `${NATIVE}/policies/1`),
    afterMs: 8_000,
  },
  {
    name: 'a batch of 500 checks that are down gets another policy',
    arena: 'policied',
    async prepare(t) {
      await t.api('POST', `${NATIVE}/policies`, { name: 'New', steps: stepsOf(t, 10) })
      await failAll(t)
    },
    act: t =>
      t.api('POST', `${NATIVE}/checks:batch`, {
        operations: t.checks.slice(0, 500).map(uuid => ({ op: 'update', uuid, check: { policy: 'New' } })),
      }),
  },
  { name: 'silence 10,000 checks', arena: 'many', act: t => silence(t) },
  { name: 'expect nothing of 10,000 checks', arena: 'many', act: t => silence(t, nothingExpected) },
  {
    name: 'silence 10,000 checks that are down',
    arena: 'hanging',
    prepare: failAll,
    act: t => silence(t),
  },
  {
    name: 'expect nothing of 10,000 checks that are down',
    arena: 'hanging',
    prepare: failAll,
    act: t => silence(t, nothingExpected),
  },
  {
    name: 'end a silence of 10,000 checks that are down',
    arena: 'many',
    async prepare(t) {
      await silence(t)
      await failAll(t)
    },
    act: endSilences,
    afterMs: 15_000,
  },
  {
    name: 'end a silence in which nothing was expected of 10,000 checks',
    arena: 'many',
    async prepare(t) {
      await silence(t, nothingExpected)
    },
    act: endSilences,
    afterMs: 8_000,
  },
  {
    name: 'change the scope of a silence of 10,000 checks that are down',
    arena: 'many',
    async prepare(t) {
      await silence(t)
      await failAll(t)
    },
    act: t => t.api('PATCH', `${NATIVE}/silences/1`, { scope: { tags: ['nothing'] } }),
    afterMs: 15_000,
  },
  {
    name: 'end a silence of 200 checks of 500 channels that are down',
    arena: 'few',
    async prepare(t) {
      await silence(t)
      await failAll(t)
    },
    act: endSilences,
    afterMs: 15_000,
  },
  {
    name: 'silence 200 checks of 500 channels that are down',
    arena: 'fewHanging',
    prepare: failAll,
    act: t => silence(t),
  },
  {
    name: 'create 199 silences of 1,000 checks each',
    arena: 'many',
    async act(t) {
      for (let n = 0; n < 199; n++) await silence(t, { scope: { checks: t.checks.slice(0, 1_000) } })
    },
  },
  {
    name: 'acknowledge 200 incidents by the API',
    arena: 'hanging',
    prepare: failAll,
    act: async t =>
      t.api('POST', `${NATIVE}/incidents/acknowledge`, { incidents: await openIncidents(t, 200) }),
  },
  {
    name: 'acknowledge 200 incidents of checks of 500 channels',
    arena: 'fewHanging',
    prepare: failAll,
    act: async t =>
      t.api('POST', `${NATIVE}/incidents/acknowledge`, { incidents: await openIncidents(t, 200) }),
  },
  {
    name: 'acknowledge 2,000 incidents on the page',
    arena: 'hanging',
    prepare: failAll,
    act: async t =>
      t.form('/incidents/acknowledge/', [
        ['incident', `${t.project}:${(await openIncidents(t, 2_000)).join(',')}`],
        ['until', ''],
        ['note', 'n'],
      ]),
  },
]

async function endSilences(t: Tenant): Promise<void> {
  const { items } = JSON.parse(await t.api('GET', `${NATIVE}/silences`)) as { items: { id: number }[] }
  for (const { id } of items) await t.api('DELETE', `${NATIVE}/silences/${id}`)
}

export async function openIncidents(t: Tenant, count: number): Promise<number[]> {
  const database = await t.database()
  try {
    const highest = Number(await database.value('SELECT max(id) FROM incidents WHERE project_id = 1'))
    return Array.from({ length: count }, (_, n) => highest - n)
  } finally {
    await database.close()
  }
}
