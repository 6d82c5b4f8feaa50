/** Work of jobs that a tenant can make large. */
import type { Act } from '../act.js'
import { failAll, watch } from './checks.js'

export const jobActs: readonly Act[] = [
  {
    name: 'a report about 10,000 checks',
    arena: 'logged',
    alter: async database => {
      await database.value(
        "UPDATE users SET reports = 'weekly', next_report_at = ? WHERE id = 1",
        Date.now() + 6_000,
      )
    },
    act: () => watch(8),
    afterMs: 8_000,
  },
  {
    name: 'a reminder of 10,000 checks that are down',
    arena: 'hanging',
    alter: async database => {
      await database.value('UPDATE users SET nag_s = 3600, next_nag_at = ? WHERE id = 1', Date.now() + 15_000)
    },
    prepare: failAll,
    act: () => watch(15),
    afterMs: 8_000,
  },
  {
    name: 'prune: 10 of 110 pings of each of 10,000 checks',
    arena: 'overfull',
    act: t => t.command('prune'),
  },
  {
    name: 'prune: 10,000 incidents with 10 entries each, and 40,000 events',
    arena: 'old',
    act: t => t.command('prune'),
  },
  {
    name: 'ten event webhooks and 10,000 events',
    arena: 'many',
    async prepare(t) {
      for (let n = 0; n < 10; n++) {
        const url = `${t.origin.replace(/\d+$/, '9')}/${n}`
        await t.api('POST', '/api/punctual/v1/event-webhooks', { name: `Webhook ${n}`, url })
      }
    },
    act: t =>
      t.form(`/projects/${t.project}/checks/bulk/`, [
        ['all', '1'],
        ['action', 'pause'],
      ]),
    afterMs: 10_000,
  },
]
