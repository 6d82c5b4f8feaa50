import { Refusal } from '../../core/errors.js'
import type { ChannelSettings } from '../../integrations/field.js'
import { checkSettings } from '../../integrations/fields.js'
import { DeliveryError, type Integration } from '../../integrations/integration.js'
import type { Operator } from '../../integrations/setup.js'
import type { Transports } from '../../integrations/transports.js'

/**
 * The settings of a channel after what its kind has to do at the service before it works, such as joining a room.
 * Throws a `Refusal` where the settings are wrong, or with what failed at the service.
 */
export async function prepareChannel(
  { operator, transports }: { operator: Operator; transports: Transports },
  integration: Integration,
  given: Readonly<Record<string, string>>,
): Promise<ChannelSettings> {
  const { setup } = integration
  if (setup?.way !== 'prepare') return given
  const settings = checkSettings(integration, given)
  return await atService(integration, () => setup.prepare(settings, operator, transports))
}

/** Does something at a service; that it cannot be asked becomes a `Refusal` with the service's name. */
export async function atService<T>(integration: Integration, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DeliveryError) {
      throw new Refusal('unavailable', `${integration.label}: ${error.message}`)
    }
    throw error
  }
}
