import { expectOk } from '../../integrations/http/expect-ok.js'
import type { ButtonPress } from '../../integrations/setup.js'
import type { HttpRequest, Transports } from '../../integrations/transports.js'
import { type AcknowledgeDeps, acknowledgeByLink } from './acknowledge-by-link.js'
import { findByLink, linkOfToken } from './message-link.js'

interface Answer {
  text: string
  /** The line that is added to the message, which then has no button; null: it stays as it is. */
  line: string | null
}

/**
 * Acknowledges the incident of the button that a user has pressed under a message of a kind of channel, and answers.
 * Throws `DeliveryError` if the answer cannot be sent; the incident is acknowledged all the same.
 */
export async function answerPress(
  deps: AcknowledgeDeps & { transports: Transports },
  kind: string,
  press: ButtonPress,
): Promise<void> {
  const { text, line } = await act(deps, kind, press)
  const requests = [press.answer(text, line === null), line === null ? null : press.close(line)]
  const send = async (request: HttpRequest) => expectOk(await deps.transports.http(request))
  // The service gives up on old presses, but the message can still be changed.
  const results = await Promise.allSettled(requests.map(request => request && send(request)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function act(deps: AcknowledgeDeps, kind: string, press: ButtonPress): Promise<Answer> {
  const link = linkOfToken(press.token)
  const found = link && (await findByLink(deps, link))
  if (!link || !found)
    return refused(
      'This button is not valid, or no longer: its integration was changed, or its incident is no longer kept.',
    )
  const { channel, incidents } = found
  if (channel.kind !== kind || !press.isFrom(channel.settings))
    return refused('This button belongs to an alert in another chat.')
  if (incidents.every(({ closedAt }) => closedAt !== null))
    return refused('The incident is over: there is nothing to acknowledge.')
  const done = await acknowledgeByLink(deps, link, {}, press.by)
  if (!done || done.acknowledged.length === 0) return refused('It is acknowledged already, or over.')
  return {
    text: 'Acknowledged. Repeats and further steps stop; the recovery is sent.',
    line: `✅ Acknowledged by ${press.by}`,
  }
}

function refused(why: string): Answer {
  return { text: `${why} Nothing was changed.`, line: null }
}
