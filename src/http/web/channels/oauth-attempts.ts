/**
 * Attempts to connect a channel at a service. The state of an attempt is valid once, for ten minutes, in the session
 * that began it.
 */
import { Refusal } from '../../../core/errors.js'
import type { OAuthAttempt } from '../../../integrations/setup.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { requireUser } from '../people/session.js'

const PURPOSE = 'set-up'
const LASTS_MS = 600_000

/** Begins an attempt for a project that the user may change. `forAll`: whether what is connected alerts for all its checks. */
export async function beginAttempt(
  c: WebContext,
  project: ProjectAccess,
  kind: string,
  forAll: boolean,
): Promise<OAuthAttempt> {
  const parts = { token: newToken(), projectUuid: project.uuid, forAll }
  await c.var.deps.store.people.addToken({
    digest: digest(c, kind, parts),
    purpose: PURPOSE,
    userId: requireUser(c).user.id,
    email: null,
    expiresAt: c.var.deps.clock.now() + LASTS_MS,
  })
  return attemptOf(c, project.uuid, kind, stateOf(parts))
}

/** Whether the state belongs to an attempt in progress. Does not end it. */
export async function isInProgress(c: WebContext, kind: string, state: string): Promise<boolean> {
  const { store, clock } = c.var.deps
  return (await store.people.findToken(digest(c, kind, partsOf(state)), PURPOSE, clock.now())) !== null
}

/** Ends the attempt with this state. Throws a `Refusal` if there is none, and as `projectOf` does. */
export async function endAttempt(
  c: WebContext,
  kind: string,
  state: string,
): Promise<{ project: ProjectAccess; attempt: OAuthAttempt; forAll: boolean }> {
  const parts = partsOf(state)
  const { projectUuid, forAll } = parts
  const { store, clock } = c.var.deps
  const taken = await store.people.takeToken(digest(c, kind, parts), PURPOSE, clock.now())
  if (!taken) throw noSuchAttempt()
  return {
    project: await projectOf(c, projectUuid, 'write'),
    attempt: attemptOf(c, projectUuid, kind, state),
    forAll,
  }
}

/** The refusal for an attempt that is over or was begun elsewhere. */
export function noSuchAttempt(): Refusal {
  return new Refusal(
    'invalid',
    'this connection was started in another browser, was already used or has expired: start again from the Integrations page',
  )
}

function attemptOf(c: WebContext, projectUuid: string, kind: string, state: string): OAuthAttempt {
  const { config, delivery } = c.var.deps
  const redirectUri = `${config.SITE_ROOT}/integrations/callback/${kind}/`
  return {
    state,
    redirectUri,
    returnUrl: `${redirectUri}${state}/`,
    cancelUrl: `${config.SITE_ROOT}/projects/${projectUuid}/integrations/add/${kind}/`,
    operator: delivery.operator,
    siteName: config.SITE_NAME,
  }
}

interface StateParts {
  token: string
  projectUuid: string
  forAll: boolean
}

const FOR_NONE = 'none'

function stateOf({ token, projectUuid, forAll }: StateParts): string {
  return [token, projectUuid, ...(forAll ? [] : [FOR_NONE])].join('.')
}

function partsOf(state: string): StateParts {
  const [token = '', projectUuid = '', checks] = state.split('.')
  return { token, projectUuid, forAll: checks !== FOR_NONE }
}

/** Only this is stored: the token is of no use in another session, or for another project or kind. */
function digest(c: WebContext, kind: string, parts: StateParts): string {
  return digestOf([PURPOSE, kind, requireUser(c).sessionId, stateOf(parts)].join(':'))
}
