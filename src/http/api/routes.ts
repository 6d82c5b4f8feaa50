/** Every path of the API and what each method does there. The OpenAPI document is generated from the same table. */
import { UUID_PATTERN } from '../../core/text/uuid.js'
import { listBadges } from './badges.js'
import { reportBounce } from './bounces.js'
import { listChannels } from './channels.js'
import { deleteCheck, getCheck, updateCheck } from './checks/check.js'
import { createCheck, listChecks } from './checks/checks.js'
import { listFlips } from './checks/flips.js'
import { pauseCheck } from './checks/pause.js'
import { getPingBody, listPings } from './checks/pings.js'
import { resumeCheck } from './checks/resume.js'
import { getMetrics } from './metrics.js'
import { reportDelivery } from './notification-status.js'
import type { Operation } from './operation.js'
import { getStatus } from './status.js'

export type Method = 'GET' | 'POST' | 'DELETE'

export interface Route {
  /** After `/api/vN`, as in the OpenAPI document. A trailing slash is optional. */
  path: string
  methods: Partial<Record<Method, Operation>>
  /** Whether a script in a browser may call it from another origin. */
  cors: boolean
  /**
   * The path with the same operations. OpenAPI does not allow two paths that differ only in the names of their
   * placeholders, so the document describes the unique key as another value of that path's placeholder.
   */
  sameAs?: string
}

export const routes: readonly Route[] = [
  { path: '/checks/', methods: { GET: listChecks, POST: createCheck }, cors: true },
  {
    path: '/checks/{uuid}',
    methods: { GET: getCheck, POST: updateCheck, DELETE: deleteCheck },
    cors: true,
  },
  { path: '/checks/{unique_key}', methods: { GET: getCheck }, cors: true, sameAs: '/checks/{uuid}' },
  { path: '/checks/{uuid}/pause', methods: { POST: pauseCheck }, cors: true },
  { path: '/checks/{uuid}/resume', methods: { POST: resumeCheck }, cors: true },
  { path: '/checks/{uuid}/pings/', methods: { GET: listPings }, cors: true },
  { path: '/checks/{uuid}/pings/{n}/body', methods: { GET: getPingBody }, cors: true },
  { path: '/checks/{uuid}/flips/', methods: { GET: listFlips }, cors: true },
  {
    path: '/checks/{unique_key}/flips/',
    methods: { GET: listFlips },
    cors: true,
    sameAs: '/checks/{uuid}/flips/',
  },
  { path: '/channels/', methods: { GET: listChannels }, cors: true },
  { path: '/badges/', methods: { GET: listBadges }, cors: true },
  { path: '/status/', methods: { GET: getStatus }, cors: false },
  { path: '/metrics/', methods: { GET: getMetrics }, cors: false },
  { path: '/bounces/', methods: { POST: reportBounce }, cors: false },
  { path: '/notifications/{uuid}/status', methods: { POST: reportDelivery }, cors: false },
]

/** The pattern of each placeholder. The characters of the unique key are those that the reference accepts. */
const PLACEHOLDERS: Record<string, string> = {
  uuid: UUID_PATTERN,
  unique_key: '[A-z0-9]{40}',
  n: '[0-9]+',
  hint: '[A-Za-z0-9_-]{1,40}',
  id: '[0-9]{1,15}',
}

/** The paths at which the router serves a route: with and without a trailing slash. */
export function pathsOf(route: Pick<Route, 'path'>): string[] {
  const path = route.path
    .replace(/\/$/, '')
    // What follows a colon is a placeholder for the router, unless it is part of the pattern of one.
    .replace(/[^/]+:[^/]+/g, part => `:name{${part}}`)
    .replace(/(?<!:name)\{(\w+)\}/g, (_, name: string) => `:${name}{${PLACEHOLDERS[name]}}`)
  return [path, `${path}/`]
}
