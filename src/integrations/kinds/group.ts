import { plural } from '../../core/text/plural.js'
import { DeliveryError, type Integration } from '../integration.js'

/** A channel that sends to other channels. Its alerts become alerts for each member before they are sent. */
export const group: Integration = {
  kind: 'group',
  label: 'Group',
  category: 'anything',
  help: 'Alerts several integrations of the project at once. A group cannot contain another group.',
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<circle cx="5" cy="12" r="2"/><circle cx="19" cy="5" r="2"/><circle cx="19" cy="12" r="2"/>' +
    '<circle cx="19" cy="19" r="2"/><path d="M7 12h10M7 11l10-5M7 13l10 5"/></svg>',
  fields: [{ name: 'members', label: 'Members', type: 'channels', required: true }],
  describe(settings) {
    const count = settings.members!.split(',').filter(uuid => uuid !== '').length
    return plural(count, 'channel')
  },
  async send() {
    // Members get their own deliveries, so this is called only if the group has none.
    throw new DeliveryError('The group has no members')
  },
}
