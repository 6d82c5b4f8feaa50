import { acceptProject as accept, leaveProject as leave } from '../../../actions/projects/change-members.js'
import { endOffer } from '../../../actions/projects/end-offer.js'
import { offerProject as offer } from '../../../actions/projects/offer-project.js'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { parseBody } from '../request.js'
import { ownToken, personOf } from '../serve/person.js'
import { newOffer, nothing } from './schemas.js'

const DONE = { status: 200, body: toJson({}) }

export const offerProject: NativeOperation = {
  id: 'offerProject',
  summary: 'Offer a project to a member',
  description: 'They become its owner if they accept. An offer to another member ends.',
  inPath: true,
  scope: 'members:write',
  role: 'own',
  request: { json: newOffer, example: { member: EXAMPLE.member } },
  responses: { 200: { description: 'It is offered.', schema: nothing } },
  errors: {
    404: 'There is no such member in the project',
    503: 'The e-mail to the member could not be sent.',
  },
  async handle({ deps, access, params, body }) {
    const { member } = parseBody(newOffer(), body)
    const { store, clock, mailer, config } = deps
    const project = await store.projects.find(params.uuid!)
    if (!project) throw new Refusal('not-found', 'project not found')
    const site = { name: config.SITE_NAME, root: config.SITE_ROOT }
    await offer({ store, clock, mailer, site }, project, { memberUuid: member, by: ownToken(access) })
    return DONE
  },
}

export const endProjectOffer: NativeOperation = {
  id: 'endProjectOffer',
  summary: 'Withdraw or decline the offer of a project',
  description: 'For the owner, and for the member to whom it is offered.',
  inPath: true,
  scope: 'members:write',
  role: 'read',
  responses: { 200: { description: 'There is no offer any more.', schema: nothing } },
  errors: { 404: 'The project is not offered to the person of the token' },
  async handle(call) {
    const { deps, access } = call
    const { projectId, role } = access
    const reader = access.personId === null ? null : (await person(call)).uuid
    await endOffer(deps, { projectId, role, reader })
    return DONE
  },
}

export const acceptProject: NativeOperation = {
  id: 'acceptProject',
  summary: 'Accept an offered project',
  description: 'Takes a token of the person to whom it is offered, who becomes its owner.',
  inPath: true,
  scope: 'members:write',
  role: 'read',
  responses: { 200: { description: 'The person of the token owns the project.', schema: nothing } },
  errors: { 403: 'The account would have too many checks', 404: 'The project is not offered to the person' },
  async handle({ deps, access }) {
    await accept(deps, { projectId: access.projectId, userId: personOf(access) })
    return DONE
  },
}

export const leaveProject: NativeOperation = {
  id: 'leaveProject',
  summary: 'Leave a project',
  inPath: true,
  scope: 'members:write',
  role: 'read',
  responses: { 200: { description: 'The person of the token is no member any more.', schema: nothing } },
  errors: { 409: 'The owner cannot leave' },
  async handle(call) {
    const { projectId, role } = call.access
    const author = ownToken(call.access)
    await leave(call.deps, { projectId, role, member: (await person(call)).uuid, author })
    return DONE
  },
}

async function person({ deps, access }: NativeCall) {
  const facts = await deps.store.people.signInFacts({ id: personOf(access) })
  if (!facts) throw new Refusal('not-found', 'there is no such account')
  return facts
}
