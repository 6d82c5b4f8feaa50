import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { openSite } from '../site.js'

export const createChecks: Case = {
  name: 'create-checks',
  title: 'Create checks by API, 32 connections',
  target: '2,000 a second',
  remote: true,
  async run(options) {
    const site = await openSite(options, { checks: 1 })
    try {
      const load = {
        origin: site.origin,
        times: site.times,
        paths: ['/api/v3/checks/'],
        method: 'POST',
        headers: { 'X-Api-Key': site.key },
        body: JSON.stringify({ name: 'Nightly backup', tags: 'prod db', timeout: 86_400, grace: 3_600 }),
        connections: 32,
      } as const
      return [await compareWithBare(options, 'created', load)]
    } finally {
      await site.stop()
    }
  },
}
