import { inviteMember } from '../../../actions/projects/invite-member.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { invitationShape } from '../../../core/wire/project.js'
import type { NativeOperation } from '../native-operation.js'
import { nothing } from '../projects/schemas.js'
import { namingFields, parseBody } from '../request.js'
import { answerInOrder, byCreation, IN_ORDER } from '../serve/page.js'
import { inviterOf } from '../serve/person.js'
import { createdInvitation, invitationsAnswer, newInvitation } from './schemas.js'

export const listInvitations: NativeOperation = {
  id: 'listInvitations',
  summary: 'List the open invitations to the project',
  description: 'Oldest first.',
  scope: 'members:write',
  listing: IN_ORDER,
  responses: { 200: { description: 'The invitations.', schema: invitationsAnswer } },
  errors: {},
  async handle(call) {
    const read = () => call.deps.store.projects.listInvitations(call.access.projectId, call.now)
    return await answerInOrder(call, read, byCreation, invitationShape)
  },
}

export const createInvitation: NativeOperation = {
  id: 'createInvitation',
  summary: 'Invite a person to the project',
  description:
    'In the name of the person who made the token. The answer has the link, which is mailed if there is an address.',
  scope: 'members:write',
  request: { json: newInvitation, example: { email: 'new@example.org', role: 'member' } },
  responses: { 201: { description: 'The invitation.', schema: createdInvitation } },
  errors: { 503: 'The e-mail could not be sent.' },
  async handle({ deps, access, body, now }) {
    const { store, clock, mailer, config } = deps
    const { email, role } = parseBody(newInvitation(), body)
    const by = inviterOf(access)
    const [inviter, project] = await Promise.all([
      store.people.signInFacts({ id: by.userId }),
      store.projects.findById(access.projectId),
    ])
    if (!inviter || !project) throw new Refusal('not-found', 'project not found')
    const site = { name: config.SITE_NAME, root: config.SITE_ROOT }
    const asked = { project, inviter, by, email: email ?? '', role }
    const { uuid, path, sentTo } = await namingFields(inviteMember({ store, clock, mailer, site }, asked))
    const invitation = (await store.projects.listInvitations(project.id, now)).find(one => one.uuid === uuid)
    if (!invitation) throw new Refusal('conflict', 'the invitation has ended already')
    const answer = { ...invitationShape(invitation), link: config.SITE_ROOT + path, sent_to: sentTo }
    return { status: 201, body: toJson(answer) }
  },
}

export const withdrawInvitation: NativeOperation = {
  id: 'withdrawInvitation',
  summary: 'Withdraw an invitation',
  description: 'Its link becomes invalid.',
  scope: 'members:write',
  responses: { 200: { description: 'It is withdrawn.', schema: nothing } },
  errors: { 404: 'There is no such invitation to the project' },
  async handle({ deps, access, params, now }) {
    if (!(await deps.store.projects.removeInvitation(access.projectId, params.uuid!, now))) {
      throw new Refusal('not-found', 'invitation not found')
    }
    return { status: 200, body: toJson({}) }
  },
}
