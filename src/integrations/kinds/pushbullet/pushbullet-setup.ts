/** Pushbullet issues a token for the account of the user who grants access. Source: https://docs.pushbullet.com/#oauth */
import { z } from 'zod'
import { codeIn, exchangeRequest, readExchange, withQuery } from '../../http/oauth.js'
import type { Authorisation } from '../../setup.js'

const granted = z.object({ access_token: z.string().min(1) })

export const pushbulletSetup: Authorisation = {
  way: 'authorise',
  needs: ['PUSHBULLET_CLIENT_ID', 'PUSHBULLET_CLIENT_SECRET'],
  byHand: true,
  help: 'Pushbullet asks whether alerts may be sent to your devices, then returns you here.',
  authorise: ({ operator, redirectUri, state }) =>
    withQuery('https://www.pushbullet.com/authorize', {
      client_id: operator.PUSHBULLET_CLIENT_ID!,
      redirect_uri: redirectUri,
      response_type: 'code',
      state,
    }),
  async finish(answer, { operator }, transports) {
    const request = exchangeRequest('https://api.pushbullet.com/oauth2/token', {
      client_id: operator.PUSHBULLET_CLIENT_ID!,
      client_secret: operator.PUSHBULLET_CLIENT_SECRET!,
      grant_type: 'authorization_code',
      code: codeIn(answer),
    })
    const { access_token } = readExchange(granted, await transports.http(request))
    return { channels: [{ settings: { access_token } }] }
  },
}
