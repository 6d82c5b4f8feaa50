/**
 * Discord creates a webhook in the channel that the user chooses.
 * Source: https://discord.com/developers/docs/topics/oauth2#webhooks
 */
import { z } from 'zod'
import { codeIn, exchangeRequest, readExchange, withQuery } from '../../http/oauth.js'
import type { OperatorSetting } from '../../integration.js'
import type { Authorisation } from '../../setup.js'

export const discordSettings: readonly OperatorSetting[] = [
  {
    name: 'DISCORD_CLIENT_ID',
    help: 'The client ID of a Discord application, for connecting with one click.',
  },
  { name: 'DISCORD_CLIENT_SECRET', secret: true, help: 'The client secret of that application.' },
]

const granted = z.object({
  // Discord identifies the channel only by numbers, which are not worth showing.
  webhook: z.object({ url: z.url({ protocol: /^https$/ }) }),
})

export const discordSetup: Authorisation = {
  way: 'authorise',
  needs: discordSettings.map(({ name }) => name),
  byHand: true,
  help: 'Discord asks which server and channel alerts go to, then returns you here.',
  authorise: ({ operator, redirectUri, state }) =>
    withQuery('https://discord.com/oauth2/authorize', {
      response_type: 'code',
      client_id: operator.DISCORD_CLIENT_ID!,
      scope: 'webhook.incoming',
      redirect_uri: redirectUri,
      state,
    }),
  async finish(answer, { operator, redirectUri }, transports) {
    const request = exchangeRequest('https://discord.com/api/oauth2/token', {
      client_id: operator.DISCORD_CLIENT_ID!,
      client_secret: operator.DISCORD_CLIENT_SECRET!,
      grant_type: 'authorization_code',
      code: codeIn(answer),
      redirect_uri: redirectUri,
    })
    const { webhook } = readExchange(granted, await transports.http(request))
    return { channels: [{ settings: { url: webhook.url } }] }
  },
}
