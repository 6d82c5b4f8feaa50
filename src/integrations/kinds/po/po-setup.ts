/**
 * Pushover's subscriptions: the user subscribes, and Punctual gets a key that reaches only that user.
 * Source: https://pushover.net/api/subscriptions
 */
import { Refusal } from '../../../core/errors.js'
import { withQuery } from '../../http/oauth.js'
import type { Authorisation } from '../../setup.js'

export const poSetup: Authorisation = {
  way: 'authorise',
  needs: ['PUSHOVER_SUBSCRIPTION_URL'],
  byHand: true,
  help: 'Pushover asks which devices alerts go to, then returns you here to choose priorities.',
  authorise: ({ operator, returnUrl, cancelUrl }) =>
    withQuery(operator.PUSHOVER_SUBSCRIPTION_URL!, { success: returnUrl, failure: cancelUrl }),
  async finish(answer) {
    if (answer.pushover_unsubscribed === '1') {
      throw new Refusal('invalid', 'you have ended the subscription; delete integrations that used it')
    }
    const user_key = answer.pushover_user_key ?? ''
    if (!/^[A-Za-z0-9]{30}$/.test(user_key)) throw new Refusal('invalid', 'Pushover sent no user key')
    return { draft: { settings: { user_key } } }
  },
  asks: ['priority_down', 'priority_up'],
}
