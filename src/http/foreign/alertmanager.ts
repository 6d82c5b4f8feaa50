/**
 * Alertmanager: an alert that always fires, by its webhook, is the sign of life of Prometheus and of Alertmanager. Sources:
 * https://prometheus.io/docs/alerting/latest/configuration/#webhook_config and `notify/webhook` of
 * https://github.com/prometheus/alertmanager.
 */
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { once } from '../../lib/once.js'
import { rawBody } from '../api/admit.js'
import { parseJsonBody } from '../api/json-body.js'
import { LARGEST_BODY } from '../body.js'
import { respond, TEXT } from '../responses.js'
import { type Foreign, type ForeignParts, recordForeign } from './foreign.js'

const PATH = /^\/ping\/([-a-zA-Z0-9_]+)\/alertmanager(?:\?|$)/

/** The alert that always fires in the rules that come with Prometheus Operator. It needs no label of ours. */
const ALWAYS_FIRING = 'Watchdog'
const MOST_CHECKS = 100

/**
 * Whether a ping is a message of Alertmanager, by its path after `/ping/`. Other clients may ping a check with the slug
 * `alertmanager`.
 */
export function isFromAlertmanager({ method, headers }: IncomingMessage, path: string): boolean {
  if (!path.endsWith('/alertmanager') || method !== 'POST') return false
  return headers['user-agent']?.startsWith('Alertmanager/') === true
}

export const alertmanager: Foreign = {
  paths: PATH,
  async answer(parts, request, incoming) {
    const { pathname, searchParams } = new URL(request.url)
    const pingKey = PATH.exec(pathname)![1]!
    const create = searchParams.getAll('create').at(-1) === '1'
    const target = { pingKey, slug: 'alertmanager', create }
    const isAccepted = await parts.lookUp(store =>
      store.projects.acceptsProtocol({ pingKey, protocol: 'alertmanager' }),
    )
    // Without the protocol it is a ping as any other, for which nobody waits.
    parts.noteKnown()
    const body = await rawBody(incoming, LARGEST_BODY, isAccepted ? null : parts.config.PING_BODY_LIMIT)
    if (!isAccepted) await recordForeign(parts, incoming, { target, action: 'success', body })
    else await recordAlerts(parts, incoming, { pingKey, create }, signsOfLife(parseJsonBody(body)))
    return respond(200, 'OK', TEXT)
  },
}

const message = once(() =>
  z.object({
    alerts: z.array(z.looseObject({ status: z.string(), labels: z.record(z.string(), z.string()) })),
  }),
)

type Alert = z.output<ReturnType<typeof message>>['alerts'][number]

/** The firing alerts that stand for a check, by its slug. Throws a `Refusal` for anything but a message. */
function signsOfLife(body: unknown): Map<string, Alert> {
  const { success, data, error } = message().safeParse(body)
  if (!success) {
    const [issue] = error.issues
    throw new Refusal('invalid', `message: ${issue!.path.join('.')}: ${issue!.message}`)
  }
  const firing = new Map<string, Alert>()
  for (const alert of data.alerts) {
    const { slug, alertname } = alert.labels
    const stands = slug ?? (alertname === ALWAYS_FIRING ? ALWAYS_FIRING.toLowerCase() : null)
    if (alert.status === 'firing' && stands !== null && !firing.has(stands)) firing.set(stands, alert)
  }
  if (firing.size > MOST_CHECKS) throw new Refusal('invalid', 'too many slugs in one message')
  return firing
}

/** Pings each check, and then throws the first refusal: one wrong slug keeps no other check from its ping. */
async function recordAlerts(
  parts: ForeignParts,
  incoming: IncomingMessage,
  project: { pingKey: string; create: boolean },
  alerts: ReadonlyMap<string, Alert>,
): Promise<void> {
  const refusals: Refusal[] = []
  for (const [slug, alert] of alerts) {
    try {
      if (!/^[-a-z0-9_]{1,100}$/.test(slug))
        throw new Refusal('invalid', `${JSON.stringify(slug)} is no slug`)
      const body = Buffer.from(JSON.stringify(alert, null, 2))
      await recordForeign(parts, incoming, { target: { ...project, slug }, action: 'success', body })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(new Refusal(error.code, `${slug}: ${error.message}`))
    }
  }
  if (refusals[0]) throw refusals[0]
}
