import { changeMemberRole, removeMember as remove } from '../../../actions/projects/change-members.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { memberShape } from '../../../core/wire/project.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { nothing } from '../projects/schemas.js'
import { namingFields, parseBody } from '../request.js'
import { answerInOrder, IN_ORDER } from '../serve/page.js'
import { authorOf } from '../serve/person.js'
import { memberAnswer, memberChanges, membersAnswer } from './schemas.js'

const oneMember = { 404: 'There is no such member in the project' }

export const listMembers: NativeOperation = {
  id: 'listMembers',
  summary: 'List the owner and the members of the project',
  description: 'By address.',
  scope: 'members:write',
  listing: IN_ORDER,
  responses: { 200: { description: 'The members.', schema: membersAnswer } },
  errors: {},
  async handle(call) {
    const read = () => call.deps.store.projects.listMembers(call.access.projectId)
    return await answerInOrder(call, read, ({ email }) => [email], memberShape)
  },
}

export const getMember: NativeOperation = {
  id: 'getMember',
  summary: 'Get a member of the project',
  scope: 'members:write',
  responses: { 200: { description: 'The member.', schema: memberAnswer } },
  errors: { ...oneMember },
  async handle(call) {
    return await shown(call)
  },
}

export const patchMember: NativeOperation = {
  id: 'patchMember',
  summary: 'Change the role of a member',
  description: 'Nobody changes their own, and the owner stays the owner.',
  scope: 'members:write',
  request: { json: memberChanges, example: { role: 'readonly' } },
  responses: { 200: { description: 'The member.', schema: memberAnswer } },
  errors: { ...oneMember },
  async handle(call) {
    const before = await memberOf(call)
    const { role } = parseBody(memberChanges(), call.body)
    await namingFields(changeMemberRole(call.deps, { ...(await askedBy(call)), member: before.uuid, role }))
    return await shown(call)
  },
}

export const removeMember: NativeOperation = {
  id: 'removeMember',
  summary: 'Remove a member from the project',
  scope: 'members:write',
  responses: { 200: { description: 'They are no member any more.', schema: nothing } },
  errors: { ...oneMember, 400: 'It is the person of the token, who leaves instead.' },
  async handle(call) {
    const { uuid: member } = await memberOf(call)
    await remove(call.deps, { ...(await askedBy(call)), member })
    return { status: 200, body: toJson({}) }
  },
}

async function memberOf({ deps, access, params }: NativeCall) {
  const members = await deps.store.projects.listMembers(access.projectId)
  const member = members.find(({ uuid }) => uuid === params.uuid)
  if (!member) throw new Refusal('not-found', 'member not found')
  return member
}

async function shown(call: NativeCall) {
  return { status: 200, body: toJson(memberShape(await memberOf(call))) }
}

/** The project, and who asks: `by` is the UUID of the person of the token; null for a token of a project. */
async function askedBy({ deps, access }: NativeCall) {
  const { projectId, personId } = access
  const person = personId === null ? null : await deps.store.people.signInFacts({ id: personId })
  return { projectId, by: person?.uuid ?? null, author: authorOf(access) }
}
