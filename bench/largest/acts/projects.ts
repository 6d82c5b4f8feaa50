/** What concerns whole projects and accounts. */
import type { Act } from '../act.js'
import type { Fields, Tenant } from '../tenant.js'

const NATIVE = '/api/punctual/v1'

const deletion: (t: Tenant) => Promise<unknown> = t =>
  t.form(`/projects/${t.project}/remove/`, [['name', 'Bench']])
const close: (t: Tenant) => Promise<unknown> = t =>
  t.form('/accounts/close/', [['email', 'loud@example.org']])

/** As many as a body has room for, with 10,000 values at most. */
export const MOST_CHECKS = 4_500

/** A file with so many checks, each of which alerts the channels that are there. */
export const fileOf = (count: number, channels: readonly string[]) => ({
  document: {
    ...(channels.length > 0 && { defaults: { channels } }),
    checks: Object.fromEntries(Array.from({ length: count }, (_, n) => [`job-${n}`, { period: '2d' }])),
  },
})

export const projectActs: readonly Act[] = [
  {
    name: 'delete a project of 10,000 checks with 100 pings each',
    arena: 'logged',
    act: deletion,
    afterMs: 20_000,
  },
  { name: 'delete a project of 2,000 checks of 500 channels', arena: 'wide', act: deletion, afterMs: 20_000 },
  { name: 'delete a project of 100,000 notifications', arena: 'notified', act: deletion, afterMs: 10_000 },
  {
    name: 'delete a project with 200 x 500 waiting deliveries',
    arena: 'fewHanging',
    prepare: t => t.ping(t.checks.map(uuid => `/ping/${uuid}/fail`)),
    act: deletion,
    afterMs: 10_000,
  },
  {
    name: 'close the account with 10,000 checks with 100 pings each',
    arena: 'logged',
    act: close,
    afterMs: 20_000,
  },
  {
    name: 'close the account with 100 more projects',
    arena: 'many',
    async prepare(t) {
      for (let n = 0; n < 100; n++) await t.form('/projects/add/', [['name', `Project ${n}`]])
    },
    act: close,
    afterMs: 8_000,
  },
  {
    name: 'accept a project of 10,000 checks',
    arena: 'many',
    async prepare(t) {
      // The e-mail that tells the member cannot be sent here.
      const database = await t.database()
      await database.value(
        'UPDATE members SET transfer_requested_at = ?, offered_by = 1, offered_version = 0 WHERE project_id = 1',
        Date.now(),
      )
      await database.close()
    },
    act: t => t.formOfMember(`/projects/${t.project}/transfer/accept/`, []),
  },
  {
    name: 'rename a project of 10,000 checks',
    arena: 'many',
    act: t => t.form(`/projects/${t.project}/name/`, [['name', 'Renamed']] satisfies Fields),
  },
  { name: 'GET config of 10,000 checks', arena: 'many', act: t => t.api('GET', `${NATIVE}/config`) },
  {
    name: 'GET config of 2,000 checks of 500 channels',
    arena: 'wide',
    act: t => t.api('GET', `${NATIVE}/config`),
  },
  {
    name: 'plan a configuration of 4,500 checks',
    arena: 'many',
    act: t => t.api('POST', `${NATIVE}/config:plan`, fileOf(MOST_CHECKS, [])),
  },
  {
    name: 'apply a configuration that changes 4,500 checks',
    arena: 'many',
    act: t => t.api('POST', `${NATIVE}/config:apply`, fileOf(MOST_CHECKS, [])),
  },
  {
    name: 'apply a configuration that gives 1,000 checks 500 channels',
    arena: 'bare',
    async act(t) {
      const file = JSON.parse(await t.api('GET', `${NATIVE}/config`)) as {
        document: { channels: Record<string, unknown> }
      }
      await t.api('POST', `${NATIVE}/config:apply`, fileOf(1_000, Object.keys(file.document.channels)))
    },
  },
]
