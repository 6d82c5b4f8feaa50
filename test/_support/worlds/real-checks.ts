/** Checks as users have them: long names, real schedules in several time zones, every status. */
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { slugify } from '../../../src/core/checks/slugify.js'
import { pingCheck } from '../ping-check.js'
import type { WebWorld } from './web-world.js'

const DAY = 86_400
const simple = (periodSeconds: number): CheckChanges => ({ periodSeconds })
const cron = (schedule: string, tz = 'UTC'): CheckChanges => ({ schedule, tz })
const oncalendar = (schedule: string, tz = 'UTC'): CheckChanges => ({ schedule, tz })

export const REAL_CHECKS: readonly [name: string, tags: string, timing: CheckChanges][] = [
  ['Nightly PostgreSQL base backup to S3 (eu-central-1)', 'db prod backup', cron('15 3 * * *')],
  ['pg_dump crm', 'db prod', cron('0 0 * * *')],
  ['WAL archive lag', 'db prod', simple(300)],
  ['restic prune and check of the offsite repository', 'backup offsite', cron('30 4 * * 0', 'Europe/Berlin')],
  ['borg-backup-fileserver-03.frankfurt.example.internal', 'backup', cron('45 1 * * 1-5', 'Europe/Berlin')],
  ['Invoices: PDF export and mail-out', 'billing prod', cron('0 6 1 * *', 'Europe/Zurich')],
  ['Stripe payout reconciliation', 'billing', cron('*/15 8-18 * * 1-5', 'America/New_York')],
  ['SEPA direct debit file upload', 'billing bank', oncalendar('Mon..Fri 16:45', 'Europe/Berlin')],
  ['Certificates (certbot renew)', 'web', cron('17 3,15 * * *')],
  ['logrotate', '', simple(DAY)],
  ['Search index rebuild', 'web search', cron('5 */6 * * *')],
  ['Sitemap', 'web', cron('0 5 * * *')],
  ['Newsletter queue', 'mail', simple(600)],
  ['DMARC report import', 'mail', cron('20 7 * * *')],
  ['Exchange rates (ECB)', 'billing', cron('10 16 * * 1-5', 'Europe/Berlin')],
  [
    'SAP IDoc import of the logistics partners',
    'erp prod',
    cron('*/7 1,3,5,9-17/2,22 1-7,15-21 1,4,7,10 1-5'),
  ],
  ['Warehouse stock sync', 'erp', simple(900)],
  ['Price list to marketplaces', 'erp', cron('40 2,8,14,20 * * *')],
  ['Data warehouse: dbt run of all hourly models', 'bi', cron('0 * * * *')],
  ['Data warehouse: snapshot and vacuum', 'bi db', oncalendar('*-*-01,15 02:30:00', 'America/Los_Angeles')],
  ['Power meter readings from the building control', 'iot', simple(1800)],
  ['NTP drift on hv-01', 'infra', simple(3600)],
  ['ZFS scrub tank0', 'infra storage', cron('0 2 1-7 * 0')],
  ['SMART long test of all disks of the storage shelf', 'infra storage', cron('0 3 * * 6')],
  ['Ansible pull on all web nodes', 'infra web prod', simple(1800)],
  ['unattended-upgrades', 'infra', simple(DAY)],
  ['GDPR: erase accounts closed more than 30 days ago', 'legal', cron('0 1 * * *', 'Europe/Vienna')],
  ['Licence server heartbeat', '', simple(60)],
  [
    'Off-site copy of the photo archive, every other Friday',
    'archive',
    oncalendar('Fri *-*-1..7,15..21 23:30'),
  ],
  ['Old import that nobody runs any more', 'legacy', cron('0 0 31 12 *')],
]

/** A tag more for each of many machines, as fleets have them. */
const FLEET = Array.from({ length: 30 }, (_, index) => `node-${index + 1}`).join(' ')

/** Creates the thirty checks in a project, with its channels, and returns their UUIDs. Moves the clock forward by three minutes. */
export async function createRealChecks({ store, clock }: WebWorld, projectId: number): Promise<string[]> {
  const uuids: string[] = []
  for (const [index, [name, tags, timing]] of REAL_CHECKS.entries()) {
    const all = name.startsWith('Ansible') ? `${tags} ${FLEET}` : tags
    const changes = { name, slug: slugify(name), tags: all, graceSeconds: 1800, ...timing }
    uuids.push(
      (await store.checks.create(projectId, { changes, channels: '*', unique: null, now: clock.now() })).check
        .uuid,
    )
    if (index % 10 === 9) clock.advance(60)
  }
  return uuids
}

/**
 * Adds the thirty checks to a project, in every status, and returns their UUIDs. Moves the clock forward by a few hours.
 */
export async function addRealChecks(world: WebWorld, projectId: number): Promise<string[]> {
  const { store, clock } = world
  const uuids = await createRealChecks(world, projectId)
  const run = async (
    some: readonly string[],
    seconds: number,
    end: 'success' | 'fail',
    exitStatus?: number,
  ) => {
    for (const uuid of some) await pingCheck(world, uuid, 'start')
    clock.advance(seconds)
    for (const uuid of some) await pingCheck(world, uuid, end, exitStatus === undefined ? {} : { exitStatus })
  }
  for (let round = 0; round < 12; round++) await run(uuids.slice(0, 27), 40 + round * 7, 'success')
  clock.advance(3_000)
  await run(uuids.slice(0, 2), 95, 'fail', 1)
  clock.advance(1_500)
  await run([uuids[3]!], 30, 'fail', 137)
  await run(uuids.slice(4, 24), 12, 'success')
  await run([uuids[27]!], 5, 'success')
  clock.advance(240)
  for (const uuid of [uuids[10]!, uuids[18]!]) await pingCheck(world, uuid, 'start')
  clock.advance(1_000)
  await store.checks.pause(projectId, uuids[28]!, clock.now())
  return uuids
}
