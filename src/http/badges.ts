/** Badges, for everybody who knows their address. Source: docs/behaviour.md, section 5. */
import { type BadgeCounts, type BadgeStates, badgeStatus } from '../core/checks/badge.js'
import { badgeJson, shieldsJson } from '../core/wire/badge.js'
import { toJson } from '../core/wire/json.js'
import { isBadgeSignature } from '../lib/secrets/badge-signature.js'
import { secretKeysOf } from '../lib/secrets/secret-key.js'
import { badgeSvg } from '../views/badge.js'
import { corsHeaders } from './cors.js'
import type { AppDeps } from './deps.js'
import { expiresNow, NO_CACHE } from './headers.js'
import { baseHeaders, respond } from './responses.js'
import { splitUrl, unescaped } from './url.js'

type Format = 'svg' | 'json' | 'shields'

interface Badge {
  label: string
  counts: BadgeCounts
  states: BadgeStates
}

const PROJECT_BADGE = /^\/badge\/([\w-]+)\/([\w-]+)(?:\/(.+))?\.(svg|json|shields)$/
const CHECK_BADGE = /^\/b\/([0-9]+)\/([0-9a-f-]{36})\.(svg|json|shields)$/
const HEADERS = {
  ...baseHeaders,
  ...corsHeaders(['GET']),
  'Cache-Control': NO_CACHE,
  // For one that is opened by itself: a picture needs nothing.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}
const JSON_TYPE = 'application/json'

/** A badge has a label even where its check has no name: the UUID must not be seen by those who see the badge. */
const NAMELESS = 'unnamed check'

/** Answers the requests whose path begins with `/badge/` or `/b/`. */
export function createBadges(deps: AppDeps): (request: Request) => Promise<Response> {
  return async ({ method, url }) => {
    const headers = { ...HEADERS, Expires: expiresNow() }
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
    if (method !== 'GET') {
      return respond(405, toJson({ error: 'method not allowed' }), JSON_TYPE, { ...headers, Allow: 'GET' })
    }
    const { path } = splitUrl(url)
    const [badge, format] = path.startsWith('/b/')
      ? await findCheckBadge(deps, path)
      : await findProjectBadge(deps, path)
    if (!badge) return respond(404, toJson({ error: 'badge not found' }), JSON_TYPE, headers)
    const [body, type] = render(badge, format)
    return respond(200, body, type, headers)
  }
}

async function findCheckBadge(deps: AppDeps, path: string): Promise<[Badge | null, Format]> {
  const [, states, badgeKey, format] = CHECK_BADGE.exec(path) ?? []
  const found = badgeKey ? await deps.store.checks.badge(badgeKey, deps.clock.now()) : null
  const badge = found && {
    label: found.name || NAMELESS,
    counts: found.counts,
    states: statesOf(states === '3'),
  }
  return [badge, format as Format]
}

async function findProjectBadge(deps: AppDeps, path: string): Promise<[Badge | null, Format]> {
  const { config, store, clock } = deps
  const [, badgeKey, signature, escaped, format] = PROJECT_BADGE.exec(path) ?? []
  if (!badgeKey || !signature) return [null, 'svg']
  // The server has taken off one layer of escapes; this is the other.
  const tag = escaped === undefined ? null : unescaped(escaped)
  if (!isBadgeSignature(signature, badgeKey, secretKeysOf(config), tag ?? '*')) return [null, 'svg']
  const counts = await store.checks.projectBadge(badgeKey, tag, clock.now())
  const states = statesOf(!(signature.length === 10 && signature.endsWith('-2')))
  return [counts && { label: tag ?? config.MASTER_BADGE_LABEL, counts, states }, format as Format]
}

function render({ label, counts, states }: Badge, format: Format): [body: string, type: string] {
  if (format === 'json') return [badgeJson(counts, states), JSON_TYPE]
  const status = badgeStatus(counts, states)
  if (format === 'shields') return [shieldsJson(label, status), JSON_TYPE]
  return [badgeSvg(label, status), 'image/svg+xml']
}

function statesOf(three: boolean): BadgeStates {
  return three ? 3 : 2
}
