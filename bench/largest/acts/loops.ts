/** What is read and written again and again, for ten seconds and by twenty at a time. */
import type { Act } from '../act.js'
import type { Tenant } from '../tenant.js'
import { enable, first } from './channels.js'
import { atOnce, failAll } from './checks.js'
import { openIncidents } from './incidents.js'
import { fileOf, MOST_CHECKS } from './projects.js'
import { manyEvents } from './reads.js'

const NATIVE = '/api/punctual/v1'
const V3 = '/api/v3'

/** An expression whose next times take long to find. */
const RARE = encodeURIComponent('0 0 29 2 1#5')

const SECONDS = 10
const LANES = 20

interface Loop {
  arena: Act['arena']
  prepare?: NonNullable<Act['prepare']>
  afterMs?: number
}

/** `once` is done without a pause; the number of its lane distinguishes those at the same time. */
function loop(
  name: string,
  { arena, ...more }: Loop,
  once: (tenant: Tenant, lane: number) => Promise<unknown>,
): Act {
  return {
    name: `${name} for ${SECONDS} s, ${LANES} at once`,
    arena,
    ...more,
    async act(tenant) {
      const end = Date.now() + SECONDS * 1_000
      await atOnce(LANES, async lane => {
        while (Date.now() < end) await once(tenant, lane).catch(unlessTooMany)
      })
    },
  }
}

/** Who asks too often is refused, and asks on. */
function unlessTooMany(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && error.status === 429)) throw error
}

const page = (name: string, arena: Act['arena'], path: string, prepare?: Act['prepare']) =>
  loop(name, { arena, ...(prepare && { prepare }) }, t => t.page(path.replace('PROJECT', t.project)))
const api = (name: string, arena: Act['arena'], path: string, prepare?: Act['prepare']) =>
  loop(name, { arena, ...(prepare && { prepare }) }, t => t.api('GET', path))

export const loopActs: readonly Act[] = [
  page('previews of a schedule', 'many', `/checks/preview/?kind=cron&cron=${RARE}&tz=Europe%2FRiga&grace=60`),
  page('searches of the site', 'many', '/search/?q=ob+9'),
  page('lists of 10,000 checks on their page', 'many', '/projects/PROJECT/checks/'),
  page('timelines of a week', 'logged', '/projects/PROJECT/timeline/?range=week&lanes=all'),
  page('logs of 10,000 checks with 100 pings each', 'logged', '/projects/PROJECT/log/'),
  page('pages of 10,000 badges', 'many', '/projects/PROJECT/badges/'),
  page('changes: 40,000 events,', 'many', '/projects/PROJECT/changes/?all=1', manyEvents),
  page('walls of 10,000 checks that are down', 'hanging', '/projects/PROJECT/wall/checks/', failAll),
  api('v3 lists of 10,000 checks', 'many', `${V3}/checks/`),
  api('v3 badges of 10,000 checks,', 'many', `${V3}/badges/`),
  api('lists of 1,000 checks of 500 channels', 'wide', `${NATIVE}/checks?limit=1000`),
  loop(
    'explanations of a check of 500 channels that is down',
    { arena: 'fewHanging', prepare: failAll },
    (t, lane) => t.api('GET', `${NATIVE}/checks/${t.checks[lane]}/explain`),
  ),
  loop(
    'changes of a channel for which 10,000 deliveries wait',
    { arena: 'hanging', prepare: failAll },
    (t, lane) => t.api('PATCH', `${NATIVE}/channels/${first(t)}`, { name: `Name ${lane}` }),
  ),
  loop(
    'disabling and enabling a channel of 10,000 checks that are down',
    { arena: 'hanging', prepare: failAll },
    (t, lane) => enable(t, lane % 2 === 0),
  ),
  loop('acknowledging 200 incidents', { arena: 'hanging', prepare: failAll }, async t =>
    t.api('POST', `${NATIVE}/incidents/acknowledge`, { incidents: await openIncidents(t, 200) }),
  ),
  loop(
    'silencing 10,000 checks that are down and ending it',
    { arena: 'hanging', prepare: failAll },
    async t => {
      const { id } = JSON.parse(
        await t.api('POST', `${NATIVE}/silences`, {
          scope: { project: true },
          when: { to: new Date(Date.now() + 3_600_000).toISOString() },
        }),
      ) as { id: number }
      await t.api('DELETE', `${NATIVE}/silences/${id}`)
    },
  ),
  loop('applying a configuration of 4,500 checks', { arena: 'many' }, t =>
    t.api('POST', `${NATIVE}/config:apply`, fileOf(MOST_CHECKS, [])),
  ),
  loop('changing what a check depends on in a chain of 10,000', { arena: 'chained' }, (t, lane) =>
    t.api('PATCH', `${NATIVE}/checks/${t.checks[1 + lane]}`, { depends_on: [t.checks[lane]] }),
  ),
]
