/** Configuration as code. Decisions 0122 and 0123. */
import { type ConfigRequest, exportConfig, planConfig } from '../../../actions/projects/config/plan-config.js'
import { channelFields } from '../../../actions/projects/config/project-config.js'
import { configSchema } from '../../../core/config/json-schema.js'
import type { Plan, PlannedStep } from '../../../core/config/planned.js'
import type { Json, Place } from '../../../core/config/project-config.js'
import { Refusal } from '../../../core/errors.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { toJson } from '../../../core/wire/json.js'
import { jsonInTurns } from '../../../core/wire/json-in-turns.js'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import { atService } from '../channels/load.js'
import { CONFIG_EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'
import { parseBody } from '../request.js'
import { applyFor } from './config-apply.js'
import {
  applyAnswer,
  applyRequest,
  exportAnswer,
  planAnswer,
  planRequest,
  schemaAnswer,
} from './config-schemas.js'

/** Where the steps of a plan, and the objects of a file, are in their answers: each is written in a turn. */
const STEPS_DEPTH = 2
const OBJECTS_DEPTH = 3
/** Where the objects of a file are in requests. */
const BODY_LEVELS = 3

export const planProject: NativeOperation = {
  id: 'planConfig',
  summary: 'Say what applying a file would change',
  description:
    'Nothing is changed. A file with problems has an answer, too: they are in it, with their places.',
  scope: 'config:write',
  alsoNeeds: ['checks:read', 'channels:write'],
  request: { json: planRequest, example: CONFIG_EXAMPLE },
  bodyLevels: BODY_LEVELS,
  responses: { 200: { description: 'What would be changed.', schema: planAnswer } },
  errors: {},
  async handle(call) {
    const { deps } = call
    const { plan, stored } = await planConfig(
      deps.store,
      deps.clock,
      asked(call, parseBody(planRequest(), call.body)),
    )
    const { fingerprint } = stored
    const body = { fingerprint, ...(await inTurns(changesShape(plan))), problems: plan.problems }
    return { status: 200, body: await inTurns(jsonInTurns(body, STEPS_DEPTH)) }
  },
}

export const applyProject: NativeOperation = {
  id: 'applyConfig',
  summary: 'Make a project as a file describes it',
  description:
    'Up to 300 checks are created or changed, or 20 deleted, all or none. More are applied in several steps: if something is refused between them, the detail of the problem says how many changes were made, and applying the file again makes the others; so it does after an answer with status 500 or more. Who owns the address of a new e-mail channel is asked first, as on pages. Kinds of channels that need a consent page have to be added there first.',
  scope: 'config:write',
  alsoNeeds: ['checks:write', 'channels:write', 'incidents:write'],
  request: { json: applyRequest, example: CONFIG_EXAMPLE },
  bodyLevels: BODY_LEVELS,
  responses: { 200: { description: 'What was changed.', schema: applyAnswer } },
  errors: {
    403: 'The account has reached a limit.',
    409: 'The project has changed since it was planned.',
    ...atService,
  },
  async handle(call) {
    const { deps } = call
    const { fingerprint, ...body } = parseBody(applyRequest(), call.body)
    const request = asked(call, body)
    const planned = await planConfig(deps.store, deps.clock, request)
    if (fingerprint !== null && planned.stored.fingerprint !== fingerprint) {
      throw new Refusal('conflict', 'the project has changed since it was planned: plan again')
    }
    const { plan } = planned
    if (plan.problems.length > 0) throw refusalOf(plan.problems)
    await applyFor(call, { ...planned, projectId: request.projectId, owner: request.owner })
    const changes = await inTurns(changesShape(plan))
    return { status: 200, body: await inTurns(jsonInTurns(changes, STEPS_DEPTH)) }
  },
}

export const exportProject: NativeOperation = {
  id: 'exportConfig',
  summary: 'Get the file that describes a project',
  description: 'With a variable in place of every secret. Silences that are over are left out.',
  scope: 'config:write',
  alsoNeeds: ['checks:read', 'channels:write'],
  responses: { 200: { description: 'The file.', schema: exportAnswer } },
  errors: {},
  async handle({ deps, access: { projectId } }) {
    const project = await deps.store.projects.findById(projectId)
    if (!project) throw new Refusal('not-found', 'project not found')
    const named = { projectId, name: projectLabel(project) }
    const { document, variables } = await exportConfig(deps.store, deps.clock, named)
    const shown = [...variables].map(([name, at]) => ({ name, at }))
    const body = { document, variables: shown }
    return { status: 200, body: await inTurns(jsonInTurns(body, OBJECTS_DEPTH)) }
  },
}

export const getConfigSchema: NativeOperation = {
  id: 'getConfigSchema',
  summary: 'Get the JSON Schema of files, for editors',
  scope: 'checks:read',
  key: 'ro',
  responses: { 200: { description: 'The schema.', schema: schemaAnswer } },
  errors: {},
  async handle() {
    return { status: 200, body: toJson(configSchema(channelFields())) }
  },
}

function asked(
  { access }: NativeCall,
  body: { document: Record<string, unknown>; owner: string; prune: boolean; max_deletes: number | null },
): ConfigRequest {
  const { document, owner, prune, max_deletes: maxDeletes } = body
  return { projectId: access.projectId, document: document as Json, owner, prune, maxDeletes }
}

function* changesShape({ steps, left }: Plan) {
  return { steps: yield* mapped(steps, stepShape), left }
}

function stepShape({ action, section, key, movedFrom, fields }: PlannedStep) {
  const shown = fields.map(({ name, before, after, isSecret }) => ({
    name,
    before: isSecret ? null : before,
    after: isSecret ? null : after,
    secret: isSecret,
  }))
  return { action, section, key, moved_from: movedFrom, fields: shown }
}

/** The refusal of a file with these problems. */
function refusalOf(problems: readonly { at: Place; problem: string }[]): FieldRefusal {
  const part = (name: string) => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
  const errors = problems.slice(0, 50).map(({ at, problem }) => ({
    detail: problem,
    pointer: ['/document', ...at.map(part)].join('/'),
  }))
  return new FieldRefusal(errors)
}
