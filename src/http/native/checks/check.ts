import { z } from 'zod'
import { nativeCheckJson } from '../../../core/wire/native-check.js'
import type { CheckRef } from '../../../storage/checks/find-check.js'
import type { CheckWithChannels } from '../../../storage/checks/show-checks.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { oneCheck } from '../request.js'
import { checkChanges, namingCheckFields, parseCheckChanges } from './check-changes.js'
import { checkAnswer, writtenCheck } from './schemas.js'

export const getCheck: NativeOperation = {
  id: 'getCheck',
  summary: 'Get a check',
  scope: 'checks:read',
  key: 'ro',
  state: ['status', 'failing', 'incident', 'started', 'n_pings', 'last_ping', 'next_ping', 'last_duration'],
  responses: { 200: { description: 'The check.', schema: checkAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    return await shown(call, await found(call))
  },
}

export const patchCheck: NativeOperation = {
  id: 'patchCheck',
  summary: 'Change a check',
  description: 'What is not sent stays as it is.',
  scope: 'checks:write',
  key: 'rw',
  request: { json: checkChanges, example: { grace: 1800, tags: ['db', 'nightly'] } },
  responses: { 200: { description: 'The check after the change.', schema: writtenCheck } },
  errors: { ...oneCheck },
  async handle(call) {
    const asked = await parsedFor(call, () => parseCheckChanges(call.body))
    const { deps, access, params, now } = call
    const written = deps.store.checks.update(access.projectId, params.uuid!, { ...asked, now })
    return await shown(call, await namingCheckFields(written))
  },
}

export const deleteCheck: NativeOperation = {
  id: 'deleteCheck',
  summary: 'Delete a check',
  description: 'Its log, its flips and its badge go with it.',
  scope: 'checks:write',
  key: 'rw',
  responses: { 200: { description: 'It was deleted.', schema: () => z.strictObject({}) } },
  errors: { ...oneCheck },
  async handle({ deps, access, params, now }) {
    await deps.store.checks.delete(access.projectId, params.uuid!, now)
    return { status: 200, body: '{}' }
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

export function found(call: NativeCall): Promise<CheckWithChannels> {
  return call.deps.store.checks.withChannels(call.access.projectId, refOf(call), call.now)
}

/** The answer with a check. `isPlain`: it is known to have no incident, no parents and no policy. */
export async function shown(
  { access, deps, now }: NativeCall,
  { check, channels, hold }: CheckWithChannels,
  status = 200,
  isPlain = false,
) {
  const { incidents } = deps.store
  const [incident, parents, policy] = isPlain
    ? [null, [], null]
    : await Promise.all([
        check.status === 'down' ? incidents.openIncident(check.uuid) : null,
        incidents.parents(check.uuid),
        incidents.policyOf(check.uuid),
      ])
  const { SITE_ROOT: siteRoot, PING_ENDPOINT: pingEndpoint } = deps.config
  const view = { access: access.kind, now, hold, siteRoot, pingEndpoint }
  return { status, body: nativeCheckJson(check, { channels, parents, incident, policy }, view) }
}
