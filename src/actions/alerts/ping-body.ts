/** The body of the last ping, for an alert. */
import type { AlertPing } from '../../core/alerts/alert.js'
import type { Clock } from '../../lib/clock.js'
import { shownMailReader } from '../../lib/mail/mail-reader.js'
import { SharedResults } from '../../lib/shared-results.js'
import type { AlertFacts } from '../../storage/alerts/alerts.js'
import { alertPart } from '../../storage/pings/large-body.js'
import type { StoreWith } from '../../storage/store.js'
import type { BodyStore } from '../pings/read-bodies.js'

interface BodyDeps {
  store: StoreWith<'pings.largeBody'>
  clock: Clock
  /** Reads the bodies in object storage; null if there is none. */
  bodies: BodyStore | null
}

/** An alert waits no longer for the texts of an e-mail, and is sent without them. */
const READ_WITHIN_MS = 1_000

/** Alerts about the same ping share what is not read with the log: the last few such bodies, for so long. */
const shared = new SharedResults<string, Uint8Array | null>(10_000, 8)

/**
 * The ping with its body, from the log or from object storage, of a large one a part; without it if it cannot be read, so
 * that the alert need not wait.
 */
export async function withBody(
  deps: BodyDeps,
  checkId: number,
  { check, project, lastPing }: AlertFacts,
): Promise<AlertPing | null> {
  if (lastPing === null) return null
  const { bodySize, ...ping } = lastPing
  const isElsewhere = ping.body === null && bodySize > 0
  const readBody = async () => {
    const inLog = await deps.store.pings.largeBody(checkId, ping.n)
    const body = inLog ?? (await deps.bodies?.read(check.uuid, ping.n)) ?? null
    return body && alertPart(ping.scheme, body)
  }
  const shareBody = () => shared.get(deps.store, `${checkId} ${ping.n}`, deps.clock.now(), readBody)
  const body = isElsewhere ? await shareBody().catch(() => null) : ping.body
  const mail = ping.scheme === 'email' && body ? await mailOf(body, project) : null
  return { ...ping, body, ...(mail ? { mail } : {}) }
}

/** The texts of an e-mail, or null if they cannot be read now. */
async function mailOf(raw: Uint8Array, { id }: { id: number }): Promise<AlertPing['mail'] | null> {
  const options = { turn: String(id), withinMs: READ_WITHIN_MS }
  const texts = await shownMailReader.read(raw, options).catch(() => null)
  return texts && { subject: texts.subject, text: texts.text || texts.htmlText }
}
