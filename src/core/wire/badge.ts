/** Badges on the wire. Source: docs/behaviour.md, sections 5.1 and 5.3. */
import { type BadgeCounts, type BadgeStates, type BadgeStatus, badgeStatus } from '../checks/badge.js'
import { toJson } from './json.js'

/** The addresses of a tag's badges; those with a 3 distinguish late. */
export interface BadgeSet {
  svg: string
  svg3: string
  json: string
  json3: string
  shields: string
  shields3: string
}

/** The addresses of a tag's badges or, with `*`, of the badges for all checks. `signature` is the tag's. */
export function badgeSet(siteRoot: string, badgeKey: string, tag: string, signature: string): BadgeSet {
  // Escaped twice, because the server decodes once before it splits the path.
  const name = tag === '*' ? '' : `/${escaped(escaped(tag))}`
  const url = (suffix: string, extension: string) =>
    `${siteRoot}/badge/${badgeKey}/${signature}${suffix}${name}.${extension}`
  return {
    svg: url('-2', 'svg'),
    svg3: url('', 'svg'),
    json: url('-2', 'json'),
    json3: url('', 'json'),
    shields: url('-2', 'shields'),
    shields3: url('', 'shields'),
  }
}

/** The addresses of the badges of one check. */
export function checkBadgeSet(siteRoot: string, badgeKey: string): BadgeSet {
  const url = (version: 2 | 3, extension: string) => `${siteRoot}/b/${version}/${badgeKey}.${extension}`
  return {
    svg: url(2, 'svg'),
    svg3: url(3, 'svg'),
    json: url(2, 'json'),
    json3: url(3, 'json'),
    shields: url(2, 'shields'),
    shields3: url(3, 'shields'),
  }
}

/** Percent-encodes everything but letters, digits and `_.-~`. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function badgeJson(counts: BadgeCounts, states: BadgeStates): string {
  return toJson({ status: badgeStatus(counts, states), ...counts })
}

const SHIELDS_COLORS: Record<BadgeStatus, string> = { up: 'success', late: 'important', down: 'critical' }

export function shieldsJson(label: string, status: BadgeStatus): string {
  return toJson({ schemaVersion: 1, label, message: status, color: SHIELDS_COLORS[status] })
}
