import { z } from 'zod'
import { badgeSet } from '../../core/wire/badge.js'
import { toJson } from '../../core/wire/json.js'
import { badgeSignature } from '../../lib/secrets/badge-signature.js'
import type { Operation } from './operation.js'
import { anyKey } from './refusals.js'
import { badgeSetSchema } from './schemas.js'

export const listBadges: Operation = {
  id: 'listBadges',
  summary: 'List the badges of the project',
  description: 'By tag, and under `*` those of all checks.',
  key: 'ro',
  responses: {
    200: {
      description: 'The badges.',
      schema: () => z.object({ badges: z.record(z.string(), badgeSetSchema()) }),
    },
  },
  errors: anyKey,
  async handle({ deps, access }) {
    const { SITE_ROOT: siteRoot, SECRET_KEY: secretKey } = deps.config
    const { badgeKey, tags } = await deps.store.checks.badgeTags(access.projectId)
    // A map, because a tag may be named `__proto__`.
    const badges = new Map(
      [...tags, '*'].map(tag => {
        return [tag, badgeSet(siteRoot, badgeKey, tag, badgeSignature(badgeKey, secretKey, tag))]
      }),
    )
    return { status: 200, body: toJson({ badges }) }
  },
}
