import { API_KEY_HINT_LENGTH, createApiKey } from '../../../actions/projects/create-api-key.js'
import { createPingKey } from '../../../actions/projects/create-ping-key.js'
import { revokeKeys } from '../../../actions/projects/revoke-keys.js'
import { Refusal } from '../../../core/errors.js'
import { KEY_SCOPES } from '../../../core/people/scopes.js'
import { toJson } from '../../../core/wire/json.js'
import { keyShape } from '../../../core/wire/project.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { ScopeRefusal } from '../problem.js'
import { parseBody } from '../request.js'
import type { Access } from '../serve/caller.js'
import { answerInOrder, IN_ORDER } from '../serve/page.js'
import { authorOf } from '../serve/person.js'
import { createdKey, keysAnswer, newKey, nothing } from './schemas.js'

const PING = 'ping'

export const listKeys: NativeOperation = {
  id: 'listKeys',
  summary: 'List the keys of the project',
  description: 'API keys without their secrets, oldest first, and the ping key.',
  scope: 'config:write',
  listing: IN_ORDER,
  responses: { 200: { description: 'The keys.', schema: keysAnswer } },
  errors: {},
  async handle(call) {
    const read = () => keysOf(call)
    return await answerInOrder(call, read, ({ createdAt, hint }) => [createdAt ?? 0, hint], keyShape)
  },
}

export const createKey: NativeOperation = {
  id: 'createKey',
  summary: 'Create a key',
  description: 'The token needs the scopes that the key amounts to.',
  scope: 'config:write',
  request: { json: newKey, example: { kind: 'ro' } },
  responses: { 201: { description: 'The key.', schema: createdKey } },
  errors: { 403: 'The key may do more than the token', 409: 'The project has a ping key' },
  async handle({ deps, access, body, now }) {
    const { kind } = parseBody(newKey(), body)
    requireScopes(access, kind)
    const { projectId } = access
    const key =
      kind === PING
        ? await createPingKey(deps.store, { projectId, by: authorOf(access), now })
        : await createApiKey(deps.store, deps.clock, { projectId, kind, by: authorOf(access) })
    const hint = kind === PING ? PING : key.slice(0, API_KEY_HINT_LENGTH)
    return { status: 201, body: toJson({ kind, hint, key }) }
  },
}

export const revokeKey: NativeOperation = {
  id: 'revokeKey',
  summary: 'Revoke a key',
  description: 'By its first characters; `ping` names the ping key.',
  scope: 'config:write',
  responses: { 200: { description: 'It is revoked.', schema: nothing } },
  errors: { 404: 'There is no such key in the project' },
  async handle(call) {
    const { hint } = call.params
    const key = (await keysOf(call)).find(one => one.hint === hint)
    if (!key) throw new Refusal('not-found', 'key not found')
    const named = key.kind === PING ? undefined : key.hint
    const change = { projectId: call.access.projectId, by: authorOf(call.access), now: call.now }
    await revokeKeys(call.deps.store, { ...change, kind: key.kind, hint: named })
    call.deps.changes.emit('access', {})
    return { status: 200, body: toJson({}) }
  },
}

async function keysOf({ deps: { store }, access }: NativeCall) {
  const [keys, project] = await Promise.all([
    store.projects.listApiKeys(access.projectId),
    store.projects.findById(access.projectId),
  ])
  const pingKey = project?.pingKey ?? null
  const ping = {
    kind: PING,
    hint: PING,
    createdAt: null,
    key: covers(access, PING) ? pingKey : null,
  } as const
  return [...(pingKey === null ? [] : [ping]), ...keys.map(key => ({ ...key, key: null }))]
}

function covers({ scopes }: Access, kind: keyof typeof KEY_SCOPES): boolean {
  return KEY_SCOPES[kind].every(scope => scopes?.includes(scope))
}

function requireScopes(access: Access, kind: keyof typeof KEY_SCOPES): void {
  const missing = KEY_SCOPES[kind].find(scope => !access.scopes?.includes(scope))
  if (missing === undefined) return
  throw new ScopeRefusal(`the key could do more than the token, which lacks the scope ${missing}`, missing)
}
