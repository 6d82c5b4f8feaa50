import { badgeSet } from '../../../core/wire/badge.js'
import { badgeSignature } from '../../../lib/secrets/badge-signature.js'
import { BadgesPage, type ShownBadge } from '../../../views/pages/checks/badges.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** The number of checks whose badges a page lists; a search finds the others. */
const LISTED = 100

/** GET: the badges of a project. `states=3` distinguishes late; `q` finds checks by name. */
export async function showBadges(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { store, config } = c.var.deps
  const states = c.req.query('states') === '3' ? 3 : 2
  const search = (c.req.query('q') ?? '').trim().slice(0, 100)
  const { badgeKey, tags } = await store.checks.badgeTags(project.id)
  const { checks, total } = await store.checks.listBadges(project.id, { search, limit: LISTED })
  const ofTag = (tag: string): ShownBadge => {
    const signature = badgeSignature(badgeKey, config.SECRET_KEY, tag)
    const set = badgeSet(config.SITE_ROOT, badgeKey, tag, signature)
    const [svg, json, shields] =
      states === 3 ? [set.svg3, set.json3, set.shields3] : [set.svg, set.json, set.shields]
    return { label: tag === '*' ? 'All checks' : tag, image: pathOf(svg), svg, json, shields }
  }
  const ofCheck = (check: { name: string; badgeKey: string }): ShownBadge => {
    const url = (extension: string) => `${config.SITE_ROOT}/b/${states}/${check.badgeKey}.${extension}`
    return {
      label: check.name,
      image: pathOf(url('svg')),
      svg: url('svg'),
      json: url('json'),
      shields: url('shields'),
    }
  }
  return await c.html(
    BadgesPage({
      page: await pageContext(c, project),
      projectUuid: project.uuid,
      states,
      search,
      tags: ['*', ...tags].map(ofTag),
      checks: checks.map(ofCheck),
      found: total,
    }),
  )
}

/** The path of an address, because the page loads its pictures from its own origin. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '')
}
