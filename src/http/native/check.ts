import { changesJudgedRules } from '../../core/checks/health/rules-problem.js'
import { Refusal } from '../../core/errors.js'
import { nativeCheckJson } from '../../core/wire/native-check.js'
import type { CheckRef } from '../../storage/checks/find-check.js'
import type { CheckWithChannels } from '../../storage/checks/show-checks.js'
import { anyKey, notAllowed, oneCheck, writeKey } from '../api/refusals.js'
import { checkChanges, parseCheckChanges, refuseRules } from './check-changes.js'
import type { NativeCall, NativeOperation } from './native-operation.js'
import { FieldRefusal } from './problem.js'
import { checkAnswer, writtenCheck } from './schemas.js'

export const getCheck: NativeOperation = {
  id: 'getCheck',
  summary: 'Get a check',
  key: 'ro',
  responses: { 200: { description: 'The check.', schema: checkAnswer } },
  errors: { ...anyKey, ...oneCheck },
  async handle(call) {
    return await shown(call, await found(call))
  },
}

export const patchCheck: NativeOperation = {
  id: 'patchCheck',
  summary: 'Change a check',
  description: 'What is not sent stays as it is.',
  key: 'rw',
  request: { json: checkChanges },
  responses: { 200: { description: 'The check after the change.', schema: writtenCheck } },
  errors: { ...notAllowed, ...writeKey, ...oneCheck, 422: 'Some fields are wrong; nothing was changed.' },
  async handle(call) {
    const asked = await parsedFor(call, () => parseCheckChanges(call.body))
    if (changesJudgedRules(asked.changes)) refuseRules((await found(call)).check, asked.changes)
    return await shown(call, await update(call, { ...asked, now: call.now }))
  },
}

/** The check named in the path. */
export function refOf({ params: { uuid, unique_key } }: NativeCall): CheckRef {
  return uuid === undefined ? { uniqueKey: unique_key! } : { uuid }
}

/**
 * The change that a request asks for. A missing check, or one of another project, is reported before errors in the
 * request.
 */
export async function parsedFor<T>(call: NativeCall, parse: () => T): Promise<T> {
  try {
    return parse()
  } catch (error) {
    await found(call)
    throw error
  }
}

function found(call: NativeCall): Promise<CheckWithChannels> {
  return call.deps.store.checks.withChannels(call.access.projectId, refOf(call), call.now)
}

async function update({ deps, access, params }: NativeCall, asked: Parameters<Update>[2]) {
  try {
    return await deps.store.checks.update(access.projectId, params.uuid!, asked)
  } catch (error) {
    // The schema has checked everything but what is stored. A circle is not one field's fault.
    if (!(error instanceof Refusal) || error.code !== 'invalid' || error.field === 'depends_on') throw error
    throw new FieldRefusal([{ detail: error.message, pointer: `/${error.field ?? 'channels'}` }])
  }
}

type Update = NativeCall['deps']['store']['checks']['update']

async function shown({ access, deps, now }: NativeCall, { check, channels, hold }: CheckWithChannels) {
  const { incidents } = deps.store
  const [incident, parents, policy] = await Promise.all([
    check.status === 'down' ? incidents.openIncident(check.uuid) : null,
    incidents.parents(check.uuid),
    incidents.policyOf(check.uuid),
  ])
  const { SITE_ROOT: siteRoot, PING_ENDPOINT: pingEndpoint } = deps.config
  const view = { access: access.kind, now, hold, siteRoot, pingEndpoint }
  return { status: 200, body: nativeCheckJson(check, { channels, parents, incident, policy }, view) }
}
