/**
 * Adds cards to a list in Trello when checks go down, and for notices. It does not report recoveries, because the cards
 * are tasks for people. Source: docs/behaviour.md, section 8.4; Trello's REST API.
 */
import { oneLine } from '../../../core/text/clean-text.js'
import { matches, secretWord } from '../../formats.js'
import { expectOk } from '../../http/expect-ok.js'
import { postJson } from '../../http/post-json.js'
import { DeliveryError, type Destination, type Integration } from '../../integration.js'
import { title } from '../../text/chat-text.js'
import { clip, clipMiddle } from '../../text/clip.js'
import { markdownAlert, markdownNotice } from '../../text/incident-markdown.js'
import type { Transports } from '../../transports.js'
import { placeFields } from '../webhook-chat.js'
import { trelloSetup } from './trello-setup.js'

const CARDS = 'https://api.trello.com/1/cards'
const NAME_CHARACTERS = 512
const DESCRIPTION_CHARACTERS = 16_384

export const trello: Integration = {
  kind: 'trello',
  label: 'Trello',
  category: 'work',
  colour: '#0052cc',
  help: 'Adds a card to a list of a Trello board when a check goes down. It does not report recoveries.',
  guide: `
You grant access on a page of Trello and then choose the list. On the command line, set a token that Trello issued for
the key in \`TRELLO_APP_KEY\`, and the ID of the list from Trello's API.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M3 4h4v16H3zM10 4h4v11h-4zM17 4h4v7h-4z"/></svg>',
  operatorSettings: [
    { name: 'TRELLO_APP_KEY', secret: true, help: 'The API key of a Power-Up registered with Trello.' },
  ],
  needs: ['TRELLO_APP_KEY'],
  setup: trelloSetup,
  fields: [
    {
      name: 'token',
      label: 'Token',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 200,
      format: secretWord,
    },
    ...placeFields(['board_name', 'Board']),
    {
      name: 'list_id',
      label: 'List',
      type: 'text',
      required: true,
      maxLength: 50,
      format: matches(
        /^[A-Za-z0-9]+$/,
        'Enter the ID of a list, which has letters and digits alone; it is not its name.',
      ),
    },
    ...placeFields(['list_name', 'Name of the list']),
  ],
  describe({ board_name, list_name, list_id }) {
    return [board_name, list_name || list_id].filter(name => name !== '').join(', ')
  },
  wants: (_settings, status) => status === 'down',
  async send(alert, to, transports) {
    await addCard(to, transports, title(alert), markdownAlert(alert, to))
  },
  async notify(notice, to, transports) {
    await addCard(to, transports, oneLine(notice.title), markdownNotice(notice))
  },
}

async function addCard(to: Destination, transports: Transports, name: string, desc: string): Promise<void> {
  const { TRELLO_APP_KEY: key } = to.operator
  if (!key) throw new DeliveryError('Trello notifications are not enabled.')
  // Sent in the body, because addresses are limited in length and appear in logs.
  const card = {
    idList: to.settings.list_id,
    name: clipMiddle(name, NAME_CHARACTERS),
    desc: clip(desc, DESCRIPTION_CHARACTERS),
    key,
    token: to.settings.token,
  }
  // The token was revoked.
  expectOk(await transports.http({ ...postJson(CARDS, card), secretBody: true }), { permanent: [401] })
}
