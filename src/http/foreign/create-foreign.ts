/** The requests of other monitors' clients, which become pings. Each protocol is one file. Decision 0132. */
import { Hono } from 'hono'
import { PingArrival } from '../../actions/pings/ping-arrival.js'
import { isTemporary } from '../../actions/pings/ping-refusals.js'
import { toJson } from '../../core/wire/json.js'
import { createStampSource } from '../../lib/clock.js'
import { isBrokenOff } from '../body.js'
import type { AppDeps, Bindings } from '../deps.js'
import { failureOf, RETRY_SOON } from '../errors.js'
import { baseHeaders, respond, TEXT } from '../responses.js'
import { alertmanager } from './alertmanager.js'
import { cronitor } from './cronitor.js'
import type { Foreign, ForeignParts } from './foreign.js'
import { gatus } from './gatus.js'
import { sentry } from './sentry.js'
import { uptimeKuma } from './uptime-kuma.js'

const PROTOCOLS: readonly Foreign[] = [sentry, cronitor, alertmanager, gatus, uptimeKuma]

/** Whether a request is one of another monitor's client. */
export function isForeign(request: Pick<Request, 'url'>): boolean {
  return protocolOf(request) !== undefined
}

/** By the path and the query, as the protocols read them: what follows a `#` belongs to neither. */
function protocolOf({ url }: Pick<Request, 'url'>): Foreign | undefined {
  const [target] = url.slice(url.indexOf('/', 'https://'.length)).split('#', 1)
  return PROTOCOLS.find(({ paths }) => paths.test(target!))
}

/** Answers these requests. */
export function createForeign(deps: AppDeps): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>()
  const { store, pings, ...others } = deps
  const stamp = createStampSource(deps.clock)
  app.all('*', async c => {
    const protocol = protocolOf(c.req.raw)!
    const { incoming } = c.env
    let isKnown = false
    const noteKnown = () => {
      isKnown = true
    }
    try {
      return await PingArrival.of(pings, stamp, arrival => {
        const lookUp: ForeignParts['lookUp'] = ask => arrival.lookUp(ask(store))
        return protocol.answer({ ...others, arrival, lookUp, noteKnown }, c.req.raw, incoming)
      })
    } catch (thrown) {
      if (isBrokenOff(incoming)) return new Response(null, { status: 400 })
      // While the database is in trouble nobody can be known, and jobs have to learn in time that they should try again.
      const isPaced = !isKnown && !isTemporary(thrown)
      const error = isPaced ? await deps.anonymous.refusalInTurn(incoming, thrown) : thrown
      const failure = failureOf(error, deps.onError)
      const status = isTemporary(error) ? 503 : failure.status
      const headers = { ...baseHeaders, ...(status === 503 ? RETRY_SOON : failure.headers) }
      if (!protocol.errorShape) return respond(status, failure.message, TEXT, headers)
      return respond(status, toJson(protocol.errorShape(failure.message)), 'application/json', headers)
    }
  })
  return app
}
