import { createApiToken } from '../../../actions/projects/create-api-token.js'
import { revokeApiToken } from '../../../actions/projects/revoke-api-token.js'
import { Refusal } from '../../../core/errors.js'
import { may } from '../../../core/people/role.js'
import { type ScopeName, scopesIn, scopesOf } from '../../../core/people/scopes.js'
import { toJson } from '../../../core/wire/json.js'
import { createdTokenShape, tokenShape } from '../../../core/wire/project.js'
import type { NativeOperation } from '../native-operation.js'
import { FieldRefusal, ScopeRefusal } from '../problem.js'
import { parseBody } from '../request.js'
import type { Access } from '../serve/caller.js'
import { answerInOrder, byCreation, IN_ORDER } from '../serve/page.js'
import { authorOf } from '../serve/person.js'
import { createdToken, newToken, nothing, tokensAnswer } from './schemas.js'

export const listTokens: NativeOperation = {
  id: 'listTokens',
  summary: 'List the API tokens of the project',
  description: 'Without their secrets, oldest first.',
  scope: 'config:write',
  listing: IN_ORDER,
  responses: { 200: { description: 'The tokens.', schema: tokensAnswer } },
  errors: {},
  async handle(call) {
    const read = () => call.deps.store.projects.listApiTokens({ projectId: call.access.projectId })
    return await answerInOrder(call, read, byCreation, tokenShape)
  },
}

export const createToken: NativeOperation = {
  id: 'createToken',
  summary: 'Create an API token of the project',
  description: 'With scopes that the token of the request has itself, and in the same role.',
  scope: 'config:write',
  request: {
    json: newToken,
    example: { name: 'Deployments', scopes: ['checks:read', 'checks:write'], expires_at: null },
  },
  responses: { 201: { description: 'The token.', schema: createdToken } },
  errors: { 403: 'The new token may do more than the one of the request' },
  async handle({ deps, access, body }) {
    const { name, scopes: asked, expires_at: expiresAt } = parseBody(newToken(), body)
    const scopes = scopesIn(asked)
    refuseMore(access, scopes)
    const { projectId } = access
    const role = may(access.role, 'manage') ? 'manager' : 'member'
    const owner = { projectId, role } as const
    const request = { owner, name, scopes, by: authorOf(access), expiresAt }
    const { token, uuid } = await createApiToken(deps.store, deps.clock, request).catch(refusedField)
    return { status: 201, body: toJson(createdTokenShape({ uuid, name, scopes, expiresAt, token })) }
  },
}

export const revokeToken: NativeOperation = {
  id: 'revokeToken',
  summary: 'Revoke an API token of the project',
  scope: 'config:write',
  responses: { 200: { description: 'It is revoked.', schema: nothing } },
  errors: { 404: 'There is no such token in the project' },
  async handle({ deps, access, params, now }) {
    const owner = { projectId: access.projectId }
    const token = { owner, uuid: params.uuid!, by: authorOf(access), now }
    if (!(await revokeApiToken(deps, token))) throw new Refusal('not-found', 'token not found')
    return { status: 200, body: toJson({}) }
  },
}

/** Throws a `Refusal` unless the token of the request, and its role, have these scopes. */
function refuseMore({ scopes, role }: Access, asked: readonly ScopeName[]): void {
  const offered = scopesOf(role).filter(scope => scopes?.includes(scope))
  const more = asked.find(scope => !offered.includes(scope))
  if (more !== undefined)
    throw new ScopeRefusal(`the new token could do more: it has the scope ${more}`, more)
}

const POINTERS: Record<string, string> = { name: '/name', scopes: '/scopes', expires: '/expires_at' }

function refusedField(error: unknown): never {
  const pointer = error instanceof Refusal && error.field !== undefined ? POINTERS[error.field] : undefined
  if (pointer === undefined) throw error
  throw new FieldRefusal([{ detail: (error as Refusal).message, pointer }])
}
