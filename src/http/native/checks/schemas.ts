/** The answers about what belongs to checks. */
import { z } from 'zod'
import { CAUSES } from '../../../core/checks/health/cause.js'
import { once } from '../../../lib/once.js'
import { badgeSetSchema, instant, uuid } from '../../api/schemas.js'
import { pageSchema } from '../serve/page.js'

export const PING_KINDS = ['success', 'start', 'fail', 'log', 'ign'] as const

export const pingAnswer = once(() =>
  z
    .strictObject({
      n: z.int().meta({ description: 'Its number.' }),
      at: instant,
      kind: z.enum(PING_KINDS),
      exit_status: z.int().nullable(),
      cause: z.enum(CAUSES).nullable().meta({ description: 'Why it failed, if it did not say so itself.' }),
      duration: z.number().nullable().meta({ description: 'Seconds that the run took, if it ended one.' }),
      run_id: uuid.nullable(),
      scheme: z.string(),
      remote_addr: z.string().nullable(),
      method: z.string(),
      ua: z.string(),
      body_size: z.int().meta({ description: 'Bytes; 0: it has no body.' }),
    })
    .meta({ id: 'Ping', description: 'A logged ping.' }),
)

export const pingsAnswer = once(() => pageSchema(z.array(pingAnswer())))

const flip = once(() =>
  z
    .strictObject({
      at: instant,
      before: z.enum(['new', 'up', 'down', 'paused']),
      status: z.enum(['new', 'up', 'down', 'paused']),
      reason: z.string().nullable().meta({ description: 'Why it went down.' }),
      since: instant.nullable().meta({ description: 'The first failure that counted, if it was earlier.' }),
    })
    .meta({ id: 'Flip', description: 'A change of status.' }),
)

export const flipsAnswer = once(() => pageSchema(z.array(flip())))

export const checkBadges = badgeSetSchema

export const badgesAnswer = once(() => {
  const tag = z.string().nullable().meta({ description: 'null: all checks.' })
  return pageSchema(
    z.array(
      z
        .strictObject({ tag, ...badgeSetSchema().shape })
        .meta({ id: 'TagBadges', description: 'The addresses of the badges of the checks with a tag.' }),
    ),
  )
})

export const tagsAnswer = once(() =>
  pageSchema(
    z.array(
      z
        .strictObject({ tag: z.string(), checks: z.int(), down: z.int(), late: z.int() })
        .meta({ id: 'Tag', description: 'A tag, and how many checks have it.' }),
    ),
  ),
)
