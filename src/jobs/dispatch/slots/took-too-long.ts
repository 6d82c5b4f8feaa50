import { DeliveryError } from '../../../integrations/integration.js'

/** The error of a request or message that was aborted because others wait for its slot, or for another reason. */
export function tookTooLong(tookMs: number, because = ''): DeliveryError {
  return new DeliveryError(`No answer within ${Math.max(1, Math.round(tookMs / 1000))} s${because}`)
}
