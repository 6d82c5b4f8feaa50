/** Sends push messages through Pushbullet. Source: docs/behaviour.md, section 8.4; Pushbullet's API, "Create push". */
import { oneLine } from '../../../core/text/clean-text.js'
import { secretWord } from '../../formats.js'
import { expectOk } from '../../http/expect-ok.js'
import { postJson } from '../../http/post-json.js'
import type { Destination, Integration } from '../../integration.js'
import { beginningOf } from '../../masked.js'
import { noticeWithLinks, title } from '../../text/chat-text.js'
import { clip, clipMiddle } from '../../text/clip.js'
import { plainIncident } from '../../text/incident-text.js'
import { readerZone } from '../../text/reader-zone.js'
import type { Transports } from '../../transports.js'
import { pushbulletSetup } from './pushbullet-setup.js'

const PUSHES = 'https://api.pushbullet.com/v2/pushes'
const TITLE_CHARACTERS = 250
const BODY_CHARACTERS = 4_000

export const pushbullet: Integration = {
  kind: 'pushbullet',
  label: 'Pushbullet',
  category: 'device',
  colour: '#2f7d4a',
  help: 'Sends push messages to your phones, browsers and computers through Pushbullet.',
  guide: `
If the operator has set \`PUSHBULLET_CLIENT_ID\` and \`PUSHBULLET_CLIENT_SECRET\`, you grant access on a page of
Pushbullet. Otherwise, create an access token in the account settings at pushbullet.com and enter it.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M12 15H3V4h15v3"/><path d="M6 19h5"/><rect x="15" y="10" width="6" height="11" rx="1"/></svg>',
  operatorSettings: [
    { name: 'PUSHBULLET_CLIENT_ID', help: 'The ID of an OAuth client registered with Pushbullet.' },
    { name: 'PUSHBULLET_CLIENT_SECRET', secret: true, help: 'The secret of that client.' },
  ],
  setup: pushbulletSetup,
  fields: [
    {
      name: 'access_token',
      label: 'Access token',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 200,
      format: secretWord,
    },
  ],
  describe: ({ access_token }) => `All devices of the account with the token ${beginningOf(access_token!)}`,
  groups: true,
  async send(alert, to, transports) {
    await push(to, transports, title(alert), plainIncident(alert, readerZone(alert, to), BODY_CHARACTERS))
  },
  async notify(notice, to, transports) {
    await push(to, transports, oneLine(notice.title), noticeWithLinks(notice))
  },
}

async function push(to: Destination, transports: Transports, heading: string, body: string): Promise<void> {
  const note = {
    type: 'note',
    title: clipMiddle(heading, TITLE_CHARACTERS),
    body: clip(body, BODY_CHARACTERS),
    // Pushbullet ignores a push whose guid it has already seen.
    guid: to.idempotencyKey,
  }
  const request = postJson(PUSHES, note, { 'Access-Token': to.settings.access_token! })
  // The token was revoked.
  expectOk(await transports.http(request), { permanent: [401] })
}
