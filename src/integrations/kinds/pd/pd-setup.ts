/** PagerDuty's simple install flow: the user chooses services, and each gets its own key. */
import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import { refusalOf, withQuery } from '../../http/oauth.js'
import { readAnswer } from '../../http/read-answer.js'
import type { Authorisation } from '../../setup.js'

/** The JSON that PagerDuty adds to the address. */
const config = z.object({
  account: z.object({ name: z.string() }),
  integration_keys: z.array(
    z.object({ integration_key: z.string().regex(/^\w{1,32}$/), name: z.string(), type: z.string() }),
  ),
})

export const pdSetup: Authorisation = {
  way: 'authorise',
  needs: ['PD_APP_ID'],
  byHand: true,
  help: 'PagerDuty asks which services alerts go to, then returns you here.',
  authorise: ({ operator, returnUrl }) =>
    withQuery('https://app.pagerduty.com/install/integration', {
      app_id: operator.PD_APP_ID!,
      redirect_url: returnUrl,
      version: '2',
    }),
  async finish(answer) {
    if (answer.error !== undefined) throw refusalOf(answer.error)
    const { account, integration_keys } = readAnswer(config, { status: 200, body: answer.config ?? '' })
    const services = integration_keys.filter(({ type }) => type === 'service')
    if (services.length === 0) throw new Refusal('invalid', 'no service was chosen at PagerDuty')
    return {
      channels: services.map(({ integration_key, name }) => ({
        name: name.slice(0, 100),
        settings: { service_key: integration_key, account: account.name.slice(0, 100) },
      })),
    }
  },
}
