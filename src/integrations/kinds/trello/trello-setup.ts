/**
 * Trello returns a token in the fragment of the address, with which the user's boards and lists are read.
 * Source: https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/
 */
import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import { expectOk } from '../../http/expect-ok.js'
import { refusalOf, withQuery } from '../../http/oauth.js'
import { readAnswer } from '../../http/read-answer.js'
import type { Authorisation } from '../../setup.js'

const named = z.object({ id: z.string().regex(/^\w{1,64}$/), name: z.string() })
const boards = z.array(named.extend({ lists: z.array(named) }))

const BOARDS = withQuery('https://api.trello.com/1/members/me/boards', {
  filter: 'open',
  fields: 'id,name',
  lists: 'open',
  list_fields: 'id,name',
})

export const trelloSetup: Authorisation = {
  way: 'authorise',
  needs: [],
  byHand: false,
  fixed: ['token', 'board_name', 'list_id', 'list_name'],
  help: 'Trello asks for permission to create cards in your name, then returns you here to choose a list.',
  authorise: ({ operator, returnUrl, siteName }) =>
    withQuery('https://trello.com/1/authorize', {
      expiration: 'never',
      name: siteName,
      scope: 'read,write',
      response_type: 'token',
      key: operator.TRELLO_APP_KEY!,
      callback_method: 'fragment',
      return_url: returnUrl,
    }),
  fragment: { name: 'token', label: 'Token' },
  async finish({ token = '', error }) {
    if (error !== undefined) throw refusalOf(error)
    if (!/^\w{10,200}$/.test(token)) throw new Refusal('invalid', 'this is not a Trello token')
    return { draft: { settings: { token } } }
  },
  asks: ['list_id'],
  async options({ settings }, operator, transports) {
    const key = `oauth_consumer_key="${operator.TRELLO_APP_KEY}"`
    const answer = await transports.http({
      method: 'GET',
      url: BOARDS,
      headers: { Authorization: `OAuth ${key}, oauth_token="${settings.token}"` },
      keepBytes: 2_097_152,
    })
    if (answer.status === 401) throw new Refusal('invalid', 'Trello did not accept this token: start again')
    const list_id = readAnswer(boards, expectOk(answer)).flatMap(board =>
      board.lists.map(list => ({
        label: list.name,
        group: board.name,
        settings: { list_id: list.id, list_name: list.name, board_name: board.name },
      })),
    )
    if (list_id.length === 0) throw new Refusal('invalid', 'your Trello boards have no lists')
    return { list_id }
  },
}
