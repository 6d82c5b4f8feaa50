import type { Case } from '../case.js'
import { compareWithBare } from '../compare.js'
import { signInTo } from '../sign-in.js'
import { openSite } from '../site.js'

const CHECKS = 1_000

export const pages: Case = {
  name: 'pages',
  title: 'The list of 1,000 checks, the page of a check, the overview of projects; 4 connections',
  target: 'nothing: the processor time shows what a page costs on each engine',
  remote: false,
  async run(options) {
    const site = await openSite(options, { checks: CHECKS, pings: 100, flips: 10 })
    try {
      const { origin, times, checks } = site
      const { cookie, project } = await signInTo(site)
      const load = { origin, times, headers: { Cookie: `${cookie.name}=${cookie.value}` }, connections: 4 }
      const compare = (name: string, paths: string[]) => compareWithBare(options, name, { ...load, paths })
      return [
        await compare('list', [`/projects/${project}/checks/`]),
        await compare(
          'check',
          checks.map(({ uuid }) => `/checks/${uuid}/details/`),
        ),
        await compare('overview', ['/']),
      ]
    } finally {
      await site.stop()
    }
  },
}
