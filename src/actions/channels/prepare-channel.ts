import { Refusal } from '../../core/errors.js'
import type { ChannelSettings } from '../../integrations/field.js'
import { checkSettings } from '../../integrations/fields.js'
import { DeliveryError, type Integration } from '../../integrations/integration.js'
import type { Operator } from '../../integrations/setup.js'
import type { Transports } from '../../integrations/transports.js'

/**
 * The settings of a channel after its kind has prepared the service, for example joined a room. Throws a `Refusal` if
 * the settings are invalid or the service fails.
 */
export async function prepareChannel(
  { operator, transports }: { operator: Operator; transports: Transports },
  integration: Integration,
  given: Readonly<Record<string, string>>,
): Promise<ChannelSettings> {
  const { setup } = integration
  if (setup?.way !== 'prepare') return given
  const settings = checkSettings(integration, given)
  return await runAtService(integration, () => setup.prepare(settings, operator, transports))
}

/** Runs `work` at a service; a `DeliveryError` becomes a `Refusal` that names the service. */
export async function runAtService<T>(integration: Integration, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DeliveryError) {
      throw new Refusal('unavailable', `${integration.label}: ${error.message}`)
    }
    throw error
  }
}
