/** Responses that several operations share. */
import { checkJson } from '../../../core/wire/check.js'
import type { WrittenCheck } from '../../../storage/checks/change-checks.js'
import type { CheckRef } from '../../../storage/checks/find-check.js'
import type { Viewer } from '../../../storage/checks/show-checks.js'
import type { Answer, Call } from '../operation.js'

/** The caller and the time for which a check is shown. */
export function viewerOf(call: Call): Viewer {
  const { access, version, now } = call
  return { projectId: access.projectId, access: access.kind, version, now }
}

/** The check named in the path. */
export function refOf(call: Call): CheckRef {
  const { uuid, unique_key } = call.params
  return uuid === undefined ? { uniqueKey: unique_key! } : { uuid }
}

/** A check after a write, which requires a read-write key. */
export function writtenAnswer(call: Call, written: WrittenCheck, status = 200): Answer {
  const { version, now } = call
  const { SITE_ROOT: siteRoot, PING_ENDPOINT: pingEndpoint } = call.deps.config
  const view = { version, access: 'rw' as const, now, hold: written.hold, siteRoot, pingEndpoint }
  return { status, body: checkJson(written.check, written.channels, view) }
}
