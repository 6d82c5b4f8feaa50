/** The push tokens of a check, by which clients of another monitor know it. Decision 0136. */
import { z } from 'zod'
import { isPushToken, MOST_PUSH_TOKENS, PUSH_TOKEN_FORMAT } from '../../../core/checks/push-token.js'
import { toJson } from '../../../core/wire/json.js'
import { once } from '../../../lib/once.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { oneCheck, parseBody } from '../request.js'
import { parsedFor } from './check.js'

const pushTokens = once(() =>
  z
    .strictObject({
      tokens: z
        .array(
          z.string().refine(isPushToken, { error: PUSH_TOKEN_FORMAT }).meta({ minLength: 8, maxLength: 100 }),
        )
        .max(MOST_PUSH_TOKENS, { error: `a check has at most ${MOST_PUSH_TOKENS} push tokens` })
        .meta({
          description: '8 to 100 letters, digits, `-` and `_`, and no UUID. One token is of one check.',
        }),
    })
    .meta({
      id: 'PushTokens',
      description: 'The tokens of the push addresses of a check, `/api/push/TOKEN`.',
    }),
)

/** Anyone who knows a token can ping, also from another monitor's job: members need not see it. */
const managed = { scope: 'checks:write', role: 'manage' } as const

export const getPushTokens: NativeOperation = {
  ...managed,
  id: 'getPushTokens',
  summary: 'List the push tokens of a check',
  responses: { 200: { description: 'Its push tokens, sorted.', schema: pushTokens } },
  errors: { ...oneCheck },
  async handle(call) {
    return await listed(call)
  },
}

export const putPushTokens: NativeOperation = {
  ...managed,
  id: 'putPushTokens',
  summary: 'Give a check these push tokens, and no others',
  description:
    'They work where the project accepts what clients of Uptime Kuma send. A check keeps its tokens when it moves.',
  request: { json: pushTokens, example: { tokens: ['gDm0tqGqpVZSmKXPyYxfTCn3tzDAyBkq'] } },
  responses: { 200: { description: 'Its push tokens, sorted.', schema: pushTokens } },
  errors: { ...oneCheck, 409: 'Another check has one of the tokens.' },
  async handle(call) {
    const { tokens } = await parsedFor(call, () => parseBody(pushTokens(), call.body))
    const { deps, access, params, now } = call
    await deps.store.projects.setPushTokens(access.projectId, params.uuid!, tokens, now)
    return await listed(call)
  },
}

async function listed({ deps, access, params }: NativeCall) {
  const tokens = await deps.store.projects.pushTokens(access.projectId, params.uuid!)
  return { status: 200, body: toJson({ tokens }) }
}
