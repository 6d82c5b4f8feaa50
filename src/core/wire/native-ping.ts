/** A logged ping in Punctual's own API. */
import type { TimelinePing } from '../checks/history/timeline.js'
import { timeOf } from '../pings/back-dated.js'
import { isoMicroseconds } from './timestamp.js'

/** The parts of a ping that its JSON is made from. */
type Shown = Omit<TimelinePing, 'preview' | 'hasBody'>

/** The JSON value of a ping. It has no UUID, so that those who only read may see it. */
export function nativePingShape({
  n,
  at,
  atUs,
  ranAt,
  action,
  exitStatus,
  cause,
  durationMs,
  rid,
  ...rest
}: Shown) {
  return {
    n,
    at: isoMicroseconds(at, atUs),
    ran_at: ranAt === null ? null : isoMicroseconds(timeOf({ at, ranAt }), 0),
    kind: action,
    exit_status: exitStatus,
    cause,
    duration: durationMs === null ? null : durationMs / 1000,
    run_id: rid,
    scheme: rest.scheme,
    remote_addr: rest.remoteAddr,
    method: rest.method,
    ua: rest.ua,
    body_size: rest.bodySize,
  }
}
