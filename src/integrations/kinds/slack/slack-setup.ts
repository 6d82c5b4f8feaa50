/**
 * Slack provides a webhook for the channel that the user chooses.
 * Source: https://docs.slack.dev/authentication/installing-with-oauth
 */
import { z } from 'zod'
import { codeIn, exchangeRequest, readExchange, withQuery } from '../../http/oauth.js'
import type { OperatorSetting } from '../../integration.js'
import type { Authorisation } from '../../setup.js'

export const slackSettings: readonly OperatorSetting[] = [
  {
    name: 'SLACK_CLIENT_ID',
    help: 'The client ID of a Slack app, for connecting with one click. Its scope is `incoming-webhook`.',
  },
  { name: 'SLACK_CLIENT_SECRET', secret: true, help: 'The client secret of that app.' },
]

const granted = z.object({
  ok: z.literal(true),
  team: z.object({ name: z.string() }).nullish(),
  incoming_webhook: z.object({ url: z.url({ protocol: /^https$/ }), channel: z.string() }),
})

export const slackSetup: Authorisation = {
  way: 'authorise',
  needs: slackSettings.map(({ name }) => name),
  byHand: true,
  help: 'Slack asks which channel alerts go to, then returns you here.',
  authorise: ({ operator, redirectUri, state }) =>
    withQuery('https://slack.com/oauth/v2/authorize', {
      client_id: operator.SLACK_CLIENT_ID!,
      scope: 'incoming-webhook',
      redirect_uri: redirectUri,
      state,
    }),
  async finish(answer, { operator, redirectUri }, transports) {
    const request = exchangeRequest('https://slack.com/api/oauth.v2.access', {
      client_id: operator.SLACK_CLIENT_ID!,
      client_secret: operator.SLACK_CLIENT_SECRET!,
      code: codeIn(answer),
      redirect_uri: redirectUri,
    })
    const { team, incoming_webhook: hook } = readExchange(granted, await transports.http(request))
    return { channels: [{ settings: { url: hook.url, team: team?.name ?? '', channel: hook.channel } }] }
  },
}
