/** What is done to one check: pause, resume, copy, move, and clear its log. */
import { z } from 'zod'
import { copyNames } from '../../../core/checks/copy-names.js'
import { once } from '../../../lib/once.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeOperation } from '../native-operation.js'
import { oneCheck, parseBody } from '../request.js'
import { found, parsedFor, shown } from './check.js'
import { writtenCheck } from './schemas.js'

const nothing = once(() => z.strictObject({}).meta({ id: 'Nothing', description: 'An empty object.' }))

/** The description of an operation that takes nothing and answers with the check. */
const simple = {
  scope: 'checks:write',
  key: 'rw',
  request: { json: nothing, example: {} },
  errors: { ...oneCheck },
} as const

export const pauseCheck: NativeOperation = {
  ...simple,
  id: 'pauseCheck',
  summary: 'Pause a check',
  description: 'Nothing is expected of it until a ping or a resume. A paused check stays as it is.',
  responses: { 200: { description: 'The paused check.', schema: writtenCheck } },
  async handle(call) {
    await parsedFor(call, () => parseBody(nothing(), call.body))
    const { deps, access, params, now } = call
    return await shown(call, await deps.store.checks.pause(access.projectId, params.uuid!, now))
  },
}

export const resumeCheck: NativeOperation = {
  ...simple,
  id: 'resumeCheck',
  summary: 'Resume a check',
  description: 'Only a paused check can be resumed; it is new again.',
  responses: { 200: { description: 'The resumed check.', schema: writtenCheck } },
  errors: { ...oneCheck, 409: 'The check is not paused.' },
  async handle(call) {
    await parsedFor(call, () => parseBody(nothing(), call.body))
    const { deps, access, params, now } = call
    return await shown(call, await deps.store.checks.resume(access.projectId, params.uuid!, now))
  },
}

export const clearCheck: NativeOperation = {
  id: 'clearCheck',
  summary: 'Delete the log of a check',
  description: 'All its pings, flips and notifications are deleted, and it is new again.',
  scope: 'pings:write',
  request: { json: nothing, example: {} },
  errors: { ...oneCheck },
  responses: { 200: { description: 'The check.', schema: writtenCheck } },
  async handle(call) {
    await parsedFor(call, () => parseBody(nothing(), call.body))
    const { deps, access, params, now } = call
    await deps.store.pings.clearEvents(access.projectId, params.uuid!, now)
    return await shown(call, await found(call))
  },
}

export const copyCheck: NativeOperation = {
  ...simple,
  id: 'copyCheck',
  summary: 'Copy a check',
  description:
    'The copy has the same settings, channels, dependencies and policy, and another name and slug.',
  responses: { 201: { description: 'The copy.', schema: writtenCheck } },
  errors: { ...oneCheck, 403: 'The account has reached its limit of checks.' },
  async handle(call) {
    await parsedFor(call, () => parseBody(nothing(), call.body))
    const { deps, access, params, now } = call
    const { check } = await found(call)
    const { uuid } = await deps.store.checks.copy(access.projectId, params.uuid!, copyNames(check), now)
    return await shown(call, await deps.store.checks.withChannels(access.projectId, { uuid }, now), 201)
  },
}

const target = once(() =>
  z
    .strictObject({
      project: z
        .uuid({ error: 'not the UUID of a project' })
        .meta({ description: 'The UUID of the other project.' }),
    })
    .meta({ id: 'MoveCheck' }),
)

export const moveCheck: NativeOperation = {
  id: 'moveCheck',
  summary: 'Move a check to another project',
  description:
    'It keeps its log, and gets all channels of that project. A token of a person whose role allows it in both projects is needed.',
  scope: 'checks:write',
  request: { json: target, example: { project: EXAMPLE.project } },
  responses: { 200: { description: 'The check in its new project.', schema: writtenCheck } },
  errors: {
    403: 'The account of the other project has reached its limit of checks.',
    404: 'There is no such check in the project, or no such project for this token.',
  },
  async handle(call) {
    const { deps, access, params, now } = call
    const { project } = await parsedFor(call, () => parseBody(target(), call.body))
    await found(call)
    const targetId = await call.otherProject(project)
    await deps.store.checks.move({ projectId: access.projectId, uuid: params.uuid!, targetId, now })
    return await shown(call, await deps.store.checks.withChannels(targetId, { uuid: params.uuid! }, now))
  },
}
