import { z } from 'zod'
import { deleteProject as deleteWhole } from '../../../actions/projects/delete-project.js'
import { renameProject } from '../../../actions/projects/rename-project.js'
import { flipsShape, setFlipsShape } from '../../../actions/projects/set-flips-shape.js'
import { setProtocols } from '../../../actions/projects/set-protocols.js'
import { Refusal } from '../../../core/errors.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { toJson } from '../../../core/wire/json.js'
import { projectShape } from '../../../core/wire/project.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'
import { readQuery, text } from '../query.js'
import { namingFields, parseBody } from '../request.js'
import { personOf } from '../serve/person.js'
import { nothing, projectAnswer, projectChanges } from './schemas.js'

export const getProject: NativeOperation = {
  id: 'getProject',
  summary: 'Get a project',
  inPath: true,
  scope: 'checks:read',
  state: ['role'],
  responses: { 200: { description: 'The project.', schema: projectAnswer } },
  errors: {},
  async handle(call) {
    return await shown(call)
  },
}

export const patchProject: NativeOperation = {
  id: 'patchProject',
  summary: 'Change a project',
  description: 'What is not sent stays as it is.',
  inPath: true,
  scope: 'config:write',
  request: { json: projectChanges, example: { name: 'Production' } },
  responses: { 200: { description: 'The project after the change.', schema: projectAnswer } },
  errors: {},
  async handle(call) {
    const { deps, access, now } = call
    const { name, flips, protocols } = parseBody(projectChanges(), call.body)
    if (name !== undefined) await namingFields(renameProject(deps.store, access.projectId, name, now))
    if (flips !== undefined) await setFlipsShape(deps.store, access.projectId, flips, now)
    if (protocols !== undefined) await setProtocols(deps.store, access.projectId, protocols, now)
    return await shown(call)
  },
}

export const deleteProject: NativeOperation = {
  id: 'deleteProject',
  summary: 'Delete a project with everything in it',
  description: 'At once and for ever.',
  inPath: true,
  scope: 'config:write',
  role: 'own',
  query: [{ name: 'name', description: 'The name of the project, as a safeguard.', schema: z.string() }],
  responses: { 200: { description: 'It was deleted.', schema: nothing } },
  errors: {},
  async handle(call) {
    const label = projectLabel(await named(call))
    const { name } = readQuery(call.query, { name: text(1_000) })
    if (name?.trim() !== label) {
      throw new FieldRefusal([{ detail: 'not the name of the project', parameter: 'name' }])
    }
    const { projectId } = call.access
    await deleteWhole(call.deps.store, { projectId, ownerId: personOf(call.access) })
    return { status: 200, body: toJson({}) }
  },
}

async function named({ deps, params }: NativeCall) {
  const project = await deps.store.projects.find(params.uuid!)
  if (!project) throw new Refusal('not-found', 'project not found')
  return project
}

async function shown(call: NativeCall) {
  const { role, projectId } = call.access
  const { store } = call.deps
  const [project, flips, protocols] = await Promise.all([
    named(call),
    flipsShape(store, projectId),
    store.projects.protocols(projectId),
  ])
  return { status: 200, body: toJson(projectShape({ ...project, role, flips, protocols })) }
}
