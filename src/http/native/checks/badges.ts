/** Badges and tags. */
import { z } from 'zod'
import { badgeSet, checkBadgeSet } from '../../../core/wire/badge.js'
import { toJson } from '../../../core/wire/json.js'
import { badgeSignature } from '../../../lib/secrets/badge-signature.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { oneCheck } from '../request.js'
import { pageJson, pageOf } from '../serve/page.js'
import { found } from './check.js'
import { badgesAnswer, checkBadges, tagsAnswer } from './schemas.js'

/** By tag, in the order of code units; the badges of all checks come first, as an empty tag. */
const PAGE = { limit: 100, most: 1_000, place: z.string().max(500) }

/** A page of a list that is read whole, by tag. */
async function tagPage<T>(
  call: NativeCall,
  all: readonly T[],
  tagOf: (item: T) => string,
  shape: (item: T) => object,
) {
  const { after, limit } = pageOf(call, PAGE)
  const left = all
    .filter(item => after === null || tagOf(item) > after)
    .sort((a, b) => (tagOf(a) < tagOf(b) ? -1 : 1))
  const items = left.slice(0, limit)
  const next = left.length > limit ? tagOf(items.at(-1)!) : null
  return { status: 200, body: await pageJson(call, items, shape, next) }
}

export const listTags: NativeOperation = {
  id: 'listTags',
  summary: 'List the tags of the project',
  description: 'With how many checks have each, and how many of those are down or late.',
  scope: 'checks:read',
  key: 'ro',
  listing: PAGE,
  responses: { 200: { description: 'The tags.', schema: tagsAnswer } },
  errors: {},
  async handle(call) {
    const { deps, access, now } = call
    const counts = await deps.store.checks.tagCounts({ id: access.projectId, uuid: '' }, now)
    const shape = ({ tag, checks, down, late }: (typeof counts)[number]) => ({ tag, checks, down, late })
    return await tagPage(call, counts, ({ tag }) => tag, shape)
  },
}

export const listBadges: NativeOperation = {
  id: 'listBadges',
  summary: 'List the badges of the project',
  description: 'Those of all checks first, then by tag.',
  scope: 'checks:read',
  key: 'ro',
  listing: PAGE,
  responses: { 200: { description: 'The badges.', schema: badgesAnswer } },
  errors: {},
  async handle(call) {
    const { SITE_ROOT: siteRoot, SECRET_KEY: secretKey } = call.deps.config
    const { badgeKey, tags } = await call.deps.store.checks.badgeTags(call.access.projectId)
    return await tagPage(
      call,
      ['', ...tags],
      tag => tag,
      tag => {
        const name = tag === '' ? '*' : tag
        const addresses = badgeSet(siteRoot, badgeKey, name, badgeSignature(badgeKey, secretKey, name))
        return { tag: tag === '' ? null : tag, ...addresses }
      },
    )
  },
}

export const getBadges: NativeOperation = {
  id: 'getCheckBadges',
  summary: 'Get the badges of a check',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'Their addresses.', schema: checkBadges } },
  errors: { ...oneCheck },
  async handle(call) {
    const { check } = await found(call)
    return { status: 200, body: toJson(checkBadgeSet(call.deps.config.SITE_ROOT, check.badgeKey)) }
  },
}
