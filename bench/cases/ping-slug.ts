import type { Case } from '../case.js'
import { compare } from '../compare.js'
import { openSite } from '../site.js'

export const pingSlug: Case = {
  name: 'ping-slug',
  title: 'The same by slug',
  target: 'within 10 % of the UUID case',
  remote: false,
  async run(options) {
    const site = await openSite(options, { checks: 1_000 })
    try {
      const { origin, times, pingKey, checks } = site
      const byUuid = checks.map(({ uuid }) => `/ping/${uuid}`)
      const bySlug = checks.map(({ slug }) => `/ping/${pingKey}/${slug}`)
      return [
        await compare(options, 'by slug, limit by UUID', {
          ours: { origin, times, paths: bySlug, connections: 64 },
          limit: { origin, times, paths: byUuid, connections: 64 },
        }),
      ]
    } finally {
      await site.stop()
    }
  },
}
