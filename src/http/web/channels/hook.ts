import { answerBot } from '../../../actions/channels/answer-bot.js'
import { Refusal } from '../../../core/errors.js'
import { DeliveryError } from '../../../integrations/integration.js'
import { missingToSend } from '../../../integrations/missing-settings.js'
import { parseJsonOrNull } from '../../../lib/formats/parse-json-or-null.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { operatorOf } from '../../operator.js'
import type { WebContext } from '../context.js'
import { knownIntegration } from './form-values.js'
import { transportsOf } from './operator.js'

/** POST: a service reports a message to its bot, or a press of a button. Requests from anyone else get 404. */
export async function hearService(c: WebContext): Promise<Response> {
  const integration = knownIntegration(c.req.param('kind')!)
  const { store, clock, config } = c.var.deps
  const operator = operatorOf(c.var.deps)
  const { setup } = integration
  if (
    setup?.way !== 'invite' ||
    missingToSend(integration, operator).length > 0 ||
    !setup.isAuthentic(c.req.header(), operator)
  ) {
    throw new Refusal('not-found', 'there is no such webhook')
  }
  const deps = {
    store,
    clock,
    secretKeys: secretKeysOf(config),
    operator,
    secretKey: config.SECRET_KEY,
    siteRoot: config.SITE_ROOT,
    transports: transportsOf(c),
  }
  try {
    await answerBot(deps, integration, parseJsonOrNull(await c.req.text()))
  } catch (error) {
    // The chat may no longer exist. Users who still wait for a reply write again; the service must not retry.
    if (!(error instanceof DeliveryError)) throw error
  }
  return c.body(null, 200)
}
