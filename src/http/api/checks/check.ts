import type { Call, Operation } from '../operation.js'
import { anyKey, notAllowed, oneCheck, writeKey } from '../refusals.js'
import { checkSchema, readWriteCheckSchema } from '../schemas.js'
import { checkFields, parseCheckFields } from './check-fields.js'
import { askedCheck } from './check-request.js'
import { refOf, viewerOf, writtenAnswer } from './show.js'

export const getCheck: Operation = {
  id: 'getCheck',
  summary: 'Get a check',
  key: 'ro',
  responses: { 200: { description: 'The check.', schema: checkSchema } },
  errors: { ...anyKey, ...oneCheck },
  async handle(call) {
    return { status: 200, body: await call.deps.store.checks.show(viewerOf(call), refOf(call)) }
  },
}

export const updateCheck: Operation = {
  id: 'updateCheck',
  summary: 'Update a check',
  description: 'What is not sent stays as it is.',
  key: 'rw',
  request: { json: checkFields },
  responses: { 200: { description: 'The check after the change.', schema: readWriteCheckSchema } },
  errors: { ...notAllowed, ...writeKey, ...oneCheck },
  async handle(call) {
    const fields = await fieldsFor(call)
    const asked = askedCheck(fields, call.version, call.now)
    const { deps, access, params } = call
    return writtenAnswer(call, await deps.store.checks.update(access.projectId, params.uuid!, asked))
  },
}

export const deleteCheck: Operation = {
  id: 'deleteCheck',
  summary: 'Delete a check',
  description: 'Its log, its flips and its badge go with it.',
  key: 'rw',
  responses: { 200: { description: 'The check as it was.', schema: readWriteCheckSchema } },
  errors: { ...writeKey, ...oneCheck },
  async handle(call) {
    const { deps, access, params, now } = call
    return writtenAnswer(call, await deps.store.checks.delete(access.projectId, params.uuid!, now))
  },
}

/** A missing check, or one of another project, is reported before errors in the request. */
async function fieldsFor(call: Call) {
  try {
    return parseCheckFields(call.body)
  } catch (refusal) {
    await call.deps.store.checks.show(viewerOf(call), refOf(call))
    throw refusal
  }
}
