import type { z } from 'zod'
import { type PolicyRules, policyProblems } from '../../../core/incidents/policy.js'
import { toJson } from '../../../core/wire/json.js'
import { policyShape } from '../../../core/wire/policy.js'
import type { AskedPolicy } from '../../../storage/incidents/policies.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'
import { idOf, namingFields, parseBody } from '../request.js'
import { NEWEST_FIRST, pageJson, pageOf, pageOfAll } from '../serve/page.js'
import {
  deletedPolicy,
  newPolicy,
  policiesAnswer,
  policyAnswer,
  policyChanges,
  writtenPolicy,
} from './schemas.js'

const onePolicy = { 404: 'There is no such policy in the project.' }

export const listPolicies: NativeOperation = {
  id: 'listPolicies',
  summary: 'List the policies of the project',
  description: 'Who is alerted of an incident, and when. Newest first.',
  scope: 'checks:read',
  key: 'ro',
  listing: NEWEST_FIRST,
  responses: { 200: { description: 'The policies.', schema: policiesAnswer } },
  errors: {},
  async handle(call) {
    const { deps, access } = call
    const page = pageOf(call, NEWEST_FIRST)
    const { shown, next } = pageOfAll(await deps.store.incidents.policies(access.projectId), page)
    const shapeOf = (policy: (typeof shown)[number]) => policyShape(policy, access.kind)
    return { status: 200, body: await pageJson(call, shown, shapeOf, next) }
  },
}

export const createPolicy: NativeOperation = {
  id: 'createPolicy',
  summary: 'Create a policy',
  scope: 'config:write',
  key: 'rw',
  request: {
    json: newPolicy,
    example: {
      name: 'On call',
      steps: [
        { after: 0, channels: 'check' },
        { after: 900, channels: [EXAMPLE.channel] },
      ],
      repeat: { every: 3600, times: 3 },
    },
  },
  responses: { 201: { description: 'The policy.', schema: writtenPolicy } },
  errors: { 403: 'The project has too many policies.' },
  async handle(call) {
    const { deps, access, now } = call
    const asked = askedOf(parseBody(newPolicy(), call.body)) as AskedPolicy
    const { id } = await namingFields(deps.store.incidents.createPolicy(access.projectId, { ...asked, now }))
    return await shown(call, id, 201)
  },
}

export const getPolicy: NativeOperation = {
  id: 'getPolicy',
  summary: 'Get a policy',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'The policy.', schema: policyAnswer } },
  errors: { ...onePolicy },
  async handle(call) {
    return await shown(call, policyId(call))
  },
}

export const patchPolicy: NativeOperation = {
  id: 'patchPolicy',
  summary: 'Change a policy',
  description: 'What is not sent stays as it is. Incidents that are open follow it from where they are.',
  scope: 'config:write',
  key: 'rw',
  request: { json: policyChanges, example: { repeat: null, default: true } },
  responses: { 200: { description: 'The policy after the change.', schema: writtenPolicy } },
  errors: { ...onePolicy },
  async handle(call) {
    const { deps, access, now } = call
    const id = policyId(call)
    const before = await deps.store.incidents.policy(access.projectId, id)
    const asked = askedOf(parseBody(policyChanges(), call.body), before)
    await namingFields(deps.store.incidents.updatePolicy(access.projectId, id, { ...asked, now }))
    return await shown(call, id)
  },
}

export const deletePolicy: NativeOperation = {
  id: 'deletePolicy',
  summary: 'Delete a policy',
  description: 'Checks that name it have the default of the project from then on, if there is one.',
  scope: 'config:write',
  key: 'rw',
  responses: { 200: { description: 'It was deleted.', schema: deletedPolicy } },
  errors: { ...onePolicy },
  async handle(call) {
    await call.deps.store.incidents.deletePolicy(call.access.projectId, policyId(call), call.now)
    return { status: 200, body: toJson({}) }
  },
}

async function shown({ deps, access }: NativeCall, id: number, status = 200) {
  const policy = await deps.store.incidents.policy(access.projectId, id)
  return { status, body: toJson(policyShape(policy, access.kind)) }
}

function policyId(call: NativeCall): number {
  return idOf(call, 'policy')
}

/** What a body asks for. Throws a `FieldRefusal` if the policy cannot be like that. */
function askedOf(
  { default: isDefault, ...rest }: z.output<ReturnType<typeof policyChanges>>,
  before: PolicyRules | null = null,
): Partial<AskedPolicy> {
  const asked = { ...rest, ...(isDefault === undefined ? {} : { isDefault }) } as Partial<AskedPolicy>
  if (before !== null && asked.steps === undefined && asked.repeat === undefined) return asked
  const { steps, repeat } = { steps: [], repeat: null, ...before, ...asked }
  // A channel of a step that stays may have been deleted.
  const problems = policyProblems({ steps, repeat }).filter(
    ({ at }) => asked.steps || !at.startsWith('steps'),
  )
  if (problems.length === 0) return asked
  throw new FieldRefusal(problems.map(({ at, problem }) => ({ detail: problem, pointer: `/${at}` })))
}
