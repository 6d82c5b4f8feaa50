import type { ArrivedPing } from '../../core/pings/arrived-ping.js'

/**
 * A batch of pings for the writing thread, as JSON: cloning the objects would take twice as long as writing and
 * reading JSON, and a third of the thread's time per ping. Bodies are bytes and are passed separately.
 */
export interface PingsOnWire {
  json: string
  /** In the order of the pings; null if no ping has one. */
  bodies: (Uint8Array | null)[] | null
}

/** A ping's values in a fixed order, because their names would be most of the text. */
type Values = [
  target: string | Exclude<ArrivedPing['target'], { uuid: string }>,
  arrivedAt: number,
  arrivedUs: number,
  action: ArrivedPing['action'],
  exitStatus: number | null,
  rid: string | null,
  invalid: ArrivedPing['invalid'],
  scheme: string,
  remoteAddr: string | null,
  method: string,
  ua: string,
  mail: NonNullable<ArrivedPing['mail']> | null | typeof NO_MAIL,
  durationMs?: number | null,
  ranAt?: number | null,
  waitedMs?: number,
  isRecorded?: true,
]

const NO_MAIL = 0

export function packPings(pings: readonly ArrivedPing[]): PingsOnWire {
  return {
    json: JSON.stringify(pings.map(valuesOf)),
    bodies: pings.every(({ body }) => body === null) ? null : pings.map(({ body }) => body),
  }
}

export function unpackPings({ json, bodies }: PingsOnWire): ArrivedPing[] {
  const batch = JSON.parse(json) as Values[]
  return batch.map((values, place) => pingOf(values, bodies?.[place] ?? null))
}

function valuesOf(ping: ArrivedPing): Values {
  const values: Values = [
    'uuid' in ping.target ? ping.target.uuid : ping.target,
    ping.arrivedAt,
    ping.arrivedUs,
    ping.action,
    ping.exitStatus,
    ping.rid,
    ping.invalid,
    ping.scheme,
    ping.remoteAddr,
    ping.method,
    ping.ua,
    ping.mail === undefined ? NO_MAIL : ping.mail,
  ]
  if (ping.waitedMs !== undefined) {
    values.push(ping.durationMs, ping.ranAt, ping.waitedMs)
    if (ping.isRecorded) values.push(true)
  } else if (ping.ranAt !== null) values.push(ping.durationMs, ping.ranAt)
  else if (ping.durationMs !== null) values.push(ping.durationMs)
  return values
}

function pingOf(values: Values, body: Uint8Array | null): ArrivedPing {
  const [target, mail] = [values[0], values[11]]
  const ping: ArrivedPing = {
    target: typeof target === 'string' ? { uuid: target } : target,
    arrivedAt: values[1],
    arrivedUs: values[2],
    action: values[3],
    exitStatus: values[4],
    rid: values[5],
    durationMs: values[12] ?? null,
    ranAt: values[13] ?? null,
    invalid: values[6],
    scheme: values[7],
    remoteAddr: values[8],
    method: values[9],
    ua: values[10],
    body,
  }
  if (mail !== NO_MAIL) ping.mail = mail
  if (values[14] !== undefined) ping.waitedMs = values[14]
  if (values[15]) ping.isRecorded = true
  return ping
}
