import { prepareChannel } from '../../../actions/channels/prepare-channel.js'
import { Refusal } from '../../../core/errors.js'
import type { ChannelSettings } from '../../../integrations/field.js'
import type { Integration } from '../../../integrations/integration.js'
import { missingToConnect, missingToSend } from '../../../integrations/missing-settings.js'
import type { Authorisation } from '../../../integrations/setup.js'
import type { Transports } from '../../../integrations/transports.js'
import { operatorOf } from '../../operator.js'
import type { WebContext } from '../context.js'
import { knownIntegration } from './form-values.js'

/** The transports for the duration of a request. */
export function transportsOf(c: WebContext): Transports {
  return c.var.deps.delivery.transports(c.req.raw.signal)
}

/** The kind in the address, which is connected at its service. Throws `Refusal('not-found')` if it is not. */
export function connectable(c: WebContext): { integration: Integration; setup: Authorisation } {
  const integration = knownIntegration(c.req.param('kind')!)
  const { setup } = integration
  const operator = operatorOf(c.var.deps)
  const missing = [...missingToSend(integration, operator), ...missingToConnect(integration, operator)]
  if (setup?.way !== 'authorise' || missing.length > 0) {
    throw new Refusal('not-found', 'this kind of integration is not connected here')
  }
  return { integration, setup }
}

/** The settings as typed, after the kind has prepared them at its service. Throws a `Refusal`. */
export async function prepared(
  c: WebContext,
  integration: Integration,
  values: Readonly<Record<string, string>>,
): Promise<ChannelSettings> {
  return await prepareChannel(
    { operator: operatorOf(c.var.deps), transports: transportsOf(c) },
    integration,
    values,
  )
}
