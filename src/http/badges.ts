/** Badges, for anyone who knows their address. Source: docs/behaviour.md, section 5. */
import { type Context, Hono } from 'hono'
import { type BadgeCounts, type BadgeStates, badgeStatus } from '../core/checks/badge.js'
import { badgeJson, shieldsJson } from '../core/wire/badge.js'
import { toJson } from '../core/wire/json.js'
import { isBadgeSignature } from '../lib/secrets/badge-signature.js'
import { secretKeysOf } from '../lib/secrets/secret-key.js'
import { badgeSvg } from '../views/badge.js'
import { corsHeaders } from './cors.js'
import type { AppDeps, Bindings } from './deps.js'
import { expiresNow, NO_CACHE } from './headers.js'
import { baseHeaders, respond } from './responses.js'
import { unescaped } from './url.js'

type Format = 'svg' | 'json' | 'shields'
type BadgeContext = Context<{ Bindings: Bindings }>

interface Badge {
  label: string
  counts: BadgeCounts
  states: BadgeStates
}

const HEADERS = {
  ...baseHeaders,
  ...corsHeaders(['GET']),
  'Cache-Control': NO_CACHE,
  // For a badge that is opened on its own: a picture loads nothing.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
const JSON_TYPE = 'application/json'

/** The label of a badge whose check has no name. The UUID must not be visible to people who see the badge. */
const NAMELESS = 'unnamed check'

const FORMAT = '\\.(?:svg|json|shields)'

/** The paths of badges, with the functions that find one by its file name without the extension. */
const ROUTES: Record<string, (deps: AppDeps, c: BadgeContext, name: string) => Promise<Badge | null>> = {
  [`/b/:states{[0-9]+}/:file{[0-9a-f-]{36}${FORMAT}}`]: findCheckBadge,
  [`/badge/:badgeKey{[\\w-]+}/:file{[\\w-]+${FORMAT}}`]: findProjectBadge,
  [`/badge/:badgeKey{[\\w-]+}/:signature{[\\w-]+}/:file{.+${FORMAT}}`]: findTagBadge,
}

/** Answers requests whose path begins with `/badge/` or `/b/`. */
export function createBadges(deps: AppDeps): Hono<{ Bindings: Bindings }> {
  const badges = new Hono<{ Bindings: Bindings }>()
  for (const [path, find] of Object.entries(ROUTES)) {
    badges.all(path, async c => {
      if (c.req.method !== 'GET') return withoutBadge(c)
      const file = c.req.param('file')!
      const dot = file.lastIndexOf('.')
      const badge = await find(deps, c, file.slice(0, dot))
      if (!badge) return withoutBadge(c)
      const [body, type] = render(badge, file.slice(dot + 1) as Format)
      return respond(200, body, type, headersNow())
    })
  }
  for (const path of ['/b/*', '/badge/*']) badges.all(path, withoutBadge)
  return badges
}

/** The response if there is no such badge, and for every method except GET. */
function withoutBadge({ req: { method } }: BadgeContext): Response {
  const headers = headersNow()
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
  if (method === 'GET') return respond(404, toJson({ error: 'badge not found' }), JSON_TYPE, headers)
  return respond(405, toJson({ error: 'method not allowed' }), JSON_TYPE, { ...headers, Allow: 'GET' })
}

async function findCheckBadge(deps: AppDeps, c: BadgeContext, badgeKey: string): Promise<Badge | null> {
  const found = await deps.store.checks.badge(badgeKey, deps.clock.now())
  if (!found) return null
  return {
    label: found.name || NAMELESS,
    counts: found.counts,
    states: c.req.param('states') === '3' ? 3 : 2,
  }
}

async function findProjectBadge(deps: AppDeps, c: BadgeContext, signature: string): Promise<Badge | null> {
  return await findSigned(deps, { badgeKey: c.req.param('badgeKey')!, signature, tag: null })
}

async function findTagBadge(deps: AppDeps, c: BadgeContext, escaped: string): Promise<Badge | null> {
  // The router has decoded one layer of percent-escapes; this decodes the other.
  const tag = unescaped(escaped)
  const { badgeKey, signature } = c.req.param() as Record<string, string>
  return await findSigned(deps, { badgeKey: badgeKey!, signature: signature!, tag })
}

async function findSigned(
  { config, store, clock }: AppDeps,
  { badgeKey, signature, tag }: { badgeKey: string; signature: string; tag: string | null },
): Promise<Badge | null> {
  if (!isBadgeSignature(signature, badgeKey, secretKeysOf(config), tag ?? '*')) return null
  const counts = await store.checks.projectBadge(badgeKey, tag, clock.now())
  const states = signature.length === 10 && signature.endsWith('-2') ? 2 : 3
  return counts && { label: tag ?? config.MASTER_BADGE_LABEL, counts, states }
}

function render({ label, counts, states }: Badge, format: Format): [body: string, type: string] {
  if (format === 'json') return [badgeJson(counts, states), JSON_TYPE]
  const status = badgeStatus(counts, states)
  if (format === 'shields') return [shieldsJson(label, status), JSON_TYPE]
  return [badgeSvg(label, status), 'image/svg+xml']
}

function headersNow(): Record<string, string> {
  return { ...HEADERS, Expires: expiresNow() }
}
