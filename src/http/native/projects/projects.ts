import { addProject } from '../../../actions/projects/add-project.js'
import { MOST_PROJECTS } from '../../../core/projects/most-projects.js'
import { toJson } from '../../../core/wire/json.js'
import { projectEntryShape, projectShape } from '../../../core/wire/project.js'
import type { ProjectEntry } from '../../../storage/people/access.js'
import type { AppDeps } from '../../deps.js'
import type { CallerOperation } from '../native-operation.js'
import { namingFields, parseBody } from '../request.js'
import type { Caller } from '../serve/caller.js'
import { answerInOrder, IN_ORDER } from '../serve/page.js'
import { personOf } from '../serve/person.js'
import { newProject, projectAnswer, projectsAnswer } from './schemas.js'

export const listProjects: CallerOperation = {
  id: 'listProjects',
  summary: 'List the projects of the token',
  description: 'Those of its person, or its own. Oldest first.',
  concerns: 'caller',
  scope: 'checks:read',
  listing: IN_ORDER,
  responses: { 200: { description: 'The projects.', schema: projectsAnswer } },
  errors: {},
  async handle(call) {
    const read = () => projectsOf(call.deps, call.caller)
    return await answerInOrder(call, read, ({ id }) => [id], projectEntryShape)
  },
}

export const createProject: CallerOperation = {
  id: 'createProject',
  summary: 'Create a project',
  description: 'It has a ping key and belongs to the person of the token.',
  concerns: 'caller',
  scope: 'config:write',
  request: { json: newProject, example: { name: 'Staging' } },
  responses: { 201: { description: 'The project.', schema: projectAnswer } },
  errors: { 403: `The token is one of a project, or its person owns ${MOST_PROJECTS} projects` },
  async handle({ deps, caller, body }) {
    const ownerId = personOf(caller)
    const { name } = parseBody(newProject(), body)
    const project = await namingFields(addProject(deps.store, deps.clock, { name, ownerId }))
    return {
      status: 201,
      body: toJson(projectShape({ ...project, role: 'owner', flips: 'default', protocols: [] })),
    }
  },
}

type Listed = Pick<ProjectEntry, 'id' | 'uuid' | 'name' | 'role'>

async function projectsOf({ store }: AppDeps, { personId, project }: Caller): Promise<Listed[]> {
  if (personId !== null) return await store.people.listProjects(personId)
  const own = await store.projects.findById(project!.id)
  return own ? [{ ...own, role: project!.role }] : []
}
