import { MOST_WALL_PROBLEMS } from '../core/projects/wall.js'
import { toJson } from '../core/wire/json.js'
import { wallShape } from '../core/wire/wall.js'
import { settleRefusal } from './api/settle-refusal.js'
import type { ApiKeys } from './auth.js'
import { respondCompressed } from './compress.js'
import type { AppDeps, Bindings } from './deps.js'
import { failureOf } from './errors.js'
import { baseHeaders, respond } from './responses.js'

const JSON_TYPE = 'application/json'

/** The numbers of a project's checks in each state, and those with problems, for the wall display. */
export async function serveWall(
  deps: AppDeps,
  keys: ApiKeys,
  request: Request,
  incoming: Bindings['incoming'],
): Promise<Response> {
  try {
    const { projectId, kind } = await keys.check(request.headers.get('X-Api-Key'), 'ro')
    const wall = await deps.store.projects.wall(projectId, deps.clock.now(), MOST_WALL_PROBLEMS)
    const headers = { ...baseHeaders, 'Cache-Control': 'no-store', 'Content-Type': JSON_TYPE }
    const body = new TextEncoder().encode(toJson(wallShape(wall, kind)))
    return await respondCompressed(request.headers.get('Accept-Encoding'), 200, body, headers)
  } catch (error) {
    const refusal = await settleRefusal(deps, request, incoming, { error, route: '/tv/checks/' })
    const { status, message, headers } = failureOf(refusal, deps.onError)
    return respond(status, toJson({ error: message }), JSON_TYPE, { ...baseHeaders, ...headers })
  }
}
