/** What is read. */
import type { Act } from '../act.js'
import type { Tenant } from '../tenant.js'
import { atOnce, failAll, watch } from './checks.js'

const NATIVE = '/api/punctual/v1'
const V3 = '/api/v3'

const api = (name: string, arena: Act['arena'], path: string, prepare?: Act['prepare']): Act => ({
  name,
  arena,
  act: t => four(() => t.api('GET', path)),
  ...(prepare && { prepare }),
})
const page = (
  name: string,
  arena: Act['arena'],
  path: string | ((t: Tenant) => string),
  prepare?: Act['prepare'],
): Act => ({
  name,
  arena,
  act: t => four(() => t.page(typeof path === 'string' ? path.replace('PROJECT', t.project) : path(t))),
  ...(prepare && { prepare }),
})

/** What anyone does who is not content with one answer. */
async function four(read: () => Promise<unknown>): Promise<void> {
  await Promise.all([read(), read(), read(), read()])
}

export async function manyEvents(t: Tenant): Promise<void> {
  for (const action of ['pause', 'resume', 'pause', 'resume']) {
    await t.form(`/projects/${t.project}/checks/bulk/`, [
      ['all', '1'],
      ['action', action],
    ])
  }
}

async function manySilences(t: Tenant): Promise<void> {
  const when = (n: number) => ({
    cron: `${n % 60} ${n % 24} 29 2 *`,
    duration: 7 * 86_400,
    timezone: 'Europe/Riga',
  })
  for (let n = 0; n < 199; n++) {
    await t.api('POST', `${NATIVE}/silences`, {
      scope: { checks: t.checks.slice(0, 1_000) },
      when: when(n),
    })
  }
}

export const readActs: readonly Act[] = [
  api('v3 list of 10,000 checks', 'many', `${V3}/checks/`),
  api('v3 list of 2,000 checks of 500 channels', 'wide', `${V3}/checks/`),
  api('list of 10,000 checks', 'many', `${NATIVE}/checks?limit=1000`),
  api('list of 1,000 checks of 500 channels', 'wide', `${NATIVE}/checks?limit=1000`),
  api('search of 10,000 checks', 'many', `${NATIVE}/checks?limit=1000&search=ob+9+e+o`),
  api('v3 badges of 10,000 checks', 'many', `${V3}/badges/`),
  api('badges of 10,000 checks', 'many', `${NATIVE}/badges`),
  api('tags of 10,000 checks', 'many', `${NATIVE}/tags`),
  api('list of 500 channels', 'wide', `${NATIVE}/channels`),
  api('policies', 'policied', `${NATIVE}/policies`, failAll),
  api('silences: 199 of 1,000 checks', 'many', `${NATIVE}/silences`, manySilences),
  api('incidents: 10,000 open', 'hanging', `${NATIVE}/incidents?limit=200`, failAll),
  api('log of 40,000 events', 'many', `${NATIVE}/log?limit=200`, manyEvents),
  api('log of 40,000 events, nothing found', 'many', `${NATIVE}/log?limit=200&object=none`, manyEvents),
  {
    name: 'checks of a channel: 10,000',
    arena: 'many',
    act: t => four(() => t.api('GET', `${NATIVE}/channels/${t.arena.channels[0]}/checks`)),
  },
  {
    name: 'notifications of a channel: 100,000',
    arena: 'notified',
    act: t => four(() => t.api('GET', `${NATIVE}/channels/${t.arena.channels[0]}/notifications`)),
  },
  {
    name: 'search of the outputs of a check',
    arena: 'outputs',
    act: t => four(() => t.api('GET', `${NATIVE}/checks/${t.checks[0]}/pings?text=nowhere`)),
  },
  {
    name: 'stream of events: 40,000 missed, four clients',
    arena: 'many',
    prepare: manyEvents,
    async act(t) {
      const path = `${NATIVE}/events?project=${t.project}`
      t.streams(path, 4, { Authorization: `Bearer ${t.arena.token}`, 'Last-Event-ID': '1' })
      await watch(3)
    },
  },
  {
    name: 'ten live lists of 10,000 checks, all of which are paused and resumed',
    arena: 'many',
    async act(t) {
      t.streams(`/projects/${t.project}/checks/live/`, 10)
      await watch(1)
      await manyEvents(t)
    },
    afterMs: 8_000,
  },
  {
    name: 'ten live incidents of 10,000 checks that fail',
    arena: 'many',
    async act(t) {
      t.streams(`/projects/${t.project}/incidents/live/`, 10)
      await watch(1)
      await failAll(t)
    },
    afterMs: 8_000,
  },
  {
    name: 'metrics of 10,000 checks for Prometheus',
    arena: 'many',
    act: t => four(() => t.page(`/projects/${t.project}/metrics/${t.arena.readKey}`)),
  },
  {
    name: 'v3 list of 10,000 checks for a read-only key',
    arena: 'many',
    act: t => four(() => t.page(`/api/v3/checks/?api_key=${t.arena.readKey}`)),
  },
  {
    name: 'badges of a tag of 10,000 checks, 64 at once',
    arena: 'many',
    async act(t) {
      const { badges } = JSON.parse(await t.api('GET', `${V3}/badges/`)) as {
        badges: Record<string, { svg: string }>
      }
      await atOnce(64, () => t.page(new URL(badges.prod!.svg).pathname))
    },
  },
  page('search of the outputs of 300 checks', 'outputs', '/search/?q=nowhere+else'),
  page('search of the site', 'many', '/search/?q=ob+9'),
  page('list of 10,000 checks on its page', 'many', '/projects/PROJECT/checks/'),
  page('last page of 10,000 checks', 'many', '/projects/PROJECT/checks/?sort=name&page=100'),
  page('list of 10,000 checks by tag', 'many', '/projects/PROJECT/checks/?group=tag'),
  page('list of 2,000 checks of 500 channels', 'wide', '/projects/PROJECT/checks/'),
  page('page of a check of 500 channels', 'wide', t => `/checks/${t.checks[0]}/details/`),
  page('form of a check of 500 channels', 'wide', t => `/checks/${t.checks[0]}/edit/`),
  page('all checks', 'many', '/checks/'),
  page('overview', 'many', '/projects/'),
  page('timeline of 10,000 checks with 100 pings each', 'logged', '/projects/PROJECT/timeline/'),
  page('timeline of a week', 'logged', '/projects/PROJECT/timeline/?range=week&lanes=all'),
  page('incidents: 10,000 open, on the page', 'hanging', '/projects/PROJECT/incidents/', failAll),
  page('integrations: 500', 'wide', '/projects/PROJECT/integrations/'),
  page('page of a channel of 10,000 checks', 'many', t => `/integrations/${t.arena.channels[0]}/`),
  page(
    'page of a channel of 100,000 notifications',
    'notified',
    t => `/integrations/${t.arena.channels[0]}/`,
  ),
  page('badges of 10,000 checks on their page', 'many', '/projects/PROJECT/badges/'),
  page('dependencies of 10,000 checks', 'dependants', '/projects/PROJECT/dependencies/'),
  page('log of a project of 10,000 checks with 100 pings each', 'logged', '/projects/PROJECT/log/'),
  page('changes: 40,000 events', 'many', '/projects/PROJECT/changes/?all=1', manyEvents),
  page('silences: 199 of 1,000 checks, on the page', 'many', '/projects/PROJECT/silences/', manySilences),
  page('settings of a project', 'many', '/projects/PROJECT/settings/'),
  page('wall of 10,000 checks that are down', 'hanging', '/projects/PROJECT/wall/checks/', failAll),
]
