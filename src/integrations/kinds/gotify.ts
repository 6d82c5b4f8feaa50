/** Sends push messages through a Gotify server. Sources: docs/behaviour.md, section 8.4; Gotify, "Push messages". */

import { addressThat, matches } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Destination, Integration } from '../integration.js'
import { beginningOf, maskUrl } from '../masked.js'
import { priorityFields, priorityOf, wantsByPriority } from '../switches.js'
import {
  markdownNotice,
  markdownStyle,
  messageText,
  noticeTitle,
  noticeWithLinks,
  title,
} from '../text/chat-text.js'
import { disableMentions } from '../text/markup.js'
import { readerZone } from '../text/reader-zone.js'
import type { Transports } from '../transports.js'

const NOTICE_PRIORITY = 5

/** Named after their effect in Gotify's Android app. */
const PRIORITIES = new Map([
  ['9', 'high'],
  ['5', 'normal'],
  ['2', 'low'],
  ['0', 'off: nothing is sent'],
])
const MARKDOWN = { 'client::display': { contentType: 'text/markdown' } }

export const gotify: Integration = {
  kind: 'gotify',
  label: 'Gotify',
  category: 'device',
  colour: '#2a6f97',
  help:
    'Sends a push message through your Gotify server. You need its address and the token of an application that you ' +
    'made there.',
  guide: `
In Gotify, open **Apps → Create application** and copy its token. The address of the server may have a path.

Messages with priority 2 are silent, 5 makes a sound, 9 also vibrates; 0 sends nothing in that direction.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M6 17v-6a6 6 0 0 1 12 0v6l2 2H4z"/><path d="M10 21h4M12 2.5v2.5" stroke-linecap="round"/></svg>',
  fields: [
    {
      name: 'url',
      label: 'Server',
      type: 'url',
      required: true,
      maxLength: 1000,
      format: addressThat(
        ({ pathname, search, hash }) => search + hash === '' && !/\/message\/*$/.test(pathname),
        'Enter the address of the server alone, without /message and anything after ? or #.',
      ),
    },
    {
      name: 'token',
      label: 'Application token',
      type: 'text',
      required: true,
      sensitive: true,
      maxLength: 50,
      // The first letter of a token of this length says what it belongs to. Source: Gotify, auth/token.go.
      format: matches(
        /^(?![CP][\w.-]{14}$)[\x21-\x7e]+$/,
        'Enter the token of an application, which begins with A; that of a client cannot send messages.',
      ),
    },
    ...priorityFields(PRIORITIES, '5'),
  ],
  describe: ({ url, token }) => `${maskUrl(url!)}, token ${beginningOf(token!)}`,
  wants: wantsByPriority,
  groups: true,
  async send(alert, to, transports) {
    await push(to, transports, {
      title: title(alert),
      message: messageText(alert, readerZone(alert, to), markdownStyle(disableMentions)),
      priority: priorityOf(to, alert.status),
    })
  },
  async notify(notice, to, transports) {
    const message = noticeWithLinks(notice, markdownNotice(disableMentions))
    const priority = notice.status ? priorityOf(to, notice.status) : NOTICE_PRIORITY
    await push(to, transports, { title: noticeTitle(notice), message, priority })
  },
}

async function push({ settings }: Destination, transports: Transports, message: object): Promise<void> {
  const url = new URL(settings.url!)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/message`
  url.search = new URLSearchParams({ token: settings.token! }).toString()
  expectOk(await transports.http(postJson(url.href, { ...message, extras: MARKDOWN })))
}
