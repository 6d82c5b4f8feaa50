/** A logged ping on the wire. Source: docs/behaviour.md, section 3.3, also for the order of the keys. */
import type { LoggedPing } from '../pings/ping-log.js'
import { decimalSeconds, quoted } from './json.js'
import { isoMicroseconds } from './timestamp.js'
import type { WireView } from './version.js'

export interface PingShape {
  type: 'success' | 'start' | 'fail' | 'log' | 'ign'
  date: string
  n: number
  scheme: string
  remote_addr: string | null
  method: string
  ua: string
  rid: string | null
  body_url: string | null
  /** Seconds with two decimals; absent if the start of the run is not known. */
  duration?: number
}

/** The JSON text of a ping of the check `uuid`. */
export function pingJson(
  ping: LoggedPing,
  durationMs: number | undefined,
  uuid: string,
  view: Pick<WireView, 'version' | 'siteRoot'>,
): string {
  const body = ping.hasBody
    ? `"${view.siteRoot}/api/v${view.version}/checks/${uuid}/pings/${ping.n}/body"`
    : 'null'
  return (
    `{"type": "${ping.action}", "date": "${isoMicroseconds(ping.at, ping.atUs)}", "n": ${ping.n}, ` +
    `"scheme": ${quoted(ping.scheme)}, "remote_addr": ${orNull(ping.remoteAddr)}, ` +
    `"method": ${quoted(ping.method)}, "ua": ${quoted(ping.ua)}, "rid": ${orNull(ping.rid)}, ` +
    `"body_url": ${body}${durationMs === undefined ? '' : `, "duration": ${decimalSeconds(durationMs)}`}}`
  )
}

function orNull(text: string | null): string {
  return text === null ? 'null' : quoted(text)
}
