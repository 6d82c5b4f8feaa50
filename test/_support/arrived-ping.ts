import type { ArrivedPing } from '../../src/core/pings/arrived-ping.js'

/** A success by GET without a body, as it arrives over HTTP, with the fields in `more`. */
export function arrivedPing(
  target: ArrivedPing['target'],
  arrivedAt: number,
  more: Partial<ArrivedPing> = {},
): ArrivedPing {
  return {
    target,
    arrivedAt,
    arrivedUs: 0,
    action: 'success',
    exitStatus: null,
    rid: null,
    durationMs: null,
    ranAt: null,
    invalid: null,
    scheme: 'http',
    remoteAddr: null,
    method: 'GET',
    ua: '',
    body: null,
    ...more,
  }
}
