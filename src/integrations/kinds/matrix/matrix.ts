/** Posts messages to Matrix rooms, with the operator's account. Source: docs/behaviour.md, section 8.4. */

import type { Alert, Notice } from '../../../core/alerts/alert.js'
import { Refusal } from '../../../core/errors.js'
import { escapeHtml } from '../../../views/escape-html.js'
import { expectOk } from '../../http/expect-ok.js'
import type { Destination, Integration } from '../../integration.js'
import { ANSWER_LABEL, type Answerable } from '../../text/answer-link.js'
import {
  chatFacts,
  htmlNotice,
  lead,
  noticeText,
  noticeTitle,
  noticeWithLinks,
  otherLines,
  outputExcerpt,
  plainAlert,
  title,
} from '../../text/chat-text.js'
import { clip } from '../../text/clip.js'
import { readerZone } from '../../text/reader-zone.js'
import type { Transports } from '../../transports.js'
import { bodyRetryMs, joinedRoom, joinRequest, messageRequest } from './matrix-room.js'

/** Events may have 64 kB. */
const VALUE_CHARACTERS = 1000

export const matrix: Integration = {
  kind: 'matrix',
  label: 'Matrix',
  category: 'chat',
  colour: '#2b2f36',
  help: 'Posts a message into a room of Matrix. Invite the account that posts to the room first, where it is not public.',
  guide: `
The operator creates an account for Punctual on a homeserver, and sets the homeserver's address and an access token.
Punctual joins the room when you add the integration, and stores the ID of the room rather than its alias.

A message that is sent again after a failure appears only once, because the homeserver recognises its transaction.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<path d="M6 3H3v18h3M18 3h3v18h-3"/><path d="M9.5 9h.01M14.5 9h.01M9.5 15h.01M14.5 15h.01" stroke-width="3"/></svg>',
  fields: [
    {
      name: 'room_id',
      label: 'Room',
      type: 'text',
      required: true,
      maxLength: 255,
      help: 'Its alias, such as `#ops:example.org`, or its ID, such as `!abc:example.org`.',
    },
    {
      name: 'alias',
      label: 'Alias',
      type: 'text',
      maxLength: 255,
      setByService: true,
    },
  ],
  operatorSettings: [
    {
      name: 'MATRIX_HOMESERVER',
      help: 'The address of the homeserver, such as `https://matrix.example.org`.',
    },
    { name: 'MATRIX_USER_ID', help: 'The user that posts, such as `@punctual:example.org`.' },
    { name: 'MATRIX_ACCESS_TOKEN', secret: true, help: 'An access token of that user.' },
  ],
  needs: ['MATRIX_HOMESERVER', 'MATRIX_ACCESS_TOKEN'],
  setup: {
    way: 'prepare',
    async prepare(settings, operator, transports) {
      const room = settings.room_id!
      const room_id = joinedRoom(await transports.http(joinRequest(operator, room)), operator)
      const alias = room.startsWith('#') ? room : ''
      return { ...settings, room_id, alias }
    },
  },
  check(settings) {
    // The IDs of newer rooms do not include a server. Source: Matrix, room version 12.
    if (/^(#[^:]+:[\w.:[\]-]+|!\S+)$/.test(settings.room_id!)) return settings
    throw new Refusal(
      'invalid',
      'Enter an alias with its server, such as #ops:example.org, or an ID, which begins with !.',
      'room_id',
    )
  },
  describe: ({ alias, room_id }) => alias || room_id!,
  groups: true,
  async send(alert, to, transports) {
    const tz = readerZone(alert, to)
    await post(to, transports, plainAlert(alert, tz), alertHtml(alert, tz))
  },
  async notify(notice, to, transports) {
    await post(to, transports, `${noticeTitle(notice)}\n\n${noticeWithLinks(notice)}`, noticeHtml(notice))
  },
}

async function post(to: Destination, transports: Transports, body: string, html: string): Promise<void> {
  const content = {
    msgtype: 'm.text',
    body,
    format: 'org.matrix.custom.html',
    formatted_body: html,
    // Disables mentions in the text. Source: client-server API, "User and room mentions".
    'm.mentions': {},
  }
  const answer = await transports.http(
    messageRequest(to.operator, to.settings.room_id!, to.idempotencyKey, content),
  )
  expectOk(answer, { laterMs: bodyRetryMs(answer) })
}

function alertHtml(alert: Alert, tz: string): string {
  const output = outputExcerpt(alert)
  const [others, ...down] = otherLines(alert, tz, '', escapeHtml)
  const known = chatFacts(alert, tz).map(
    ({ label, value }) => `<b>${label}:</b> ${escapeHtml(clip(value, VALUE_CHARACTERS))}`,
  )
  return [
    `<p><a href="${escapeHtml(alert.checkUrl)}"><b>${escapeHtml(title(alert))}.</b></a></p>`,
    paragraph(lead(alert, tz).split('\n').map(escapeHtml)),
    answerHtml(alert),
    paragraph(known),
    output && `<p><b>Last ping body:</b></p><pre><code>${escapeHtml(output)}</code></pre>`,
    others && paragraph([others]),
    down.length > 0 && `<ul>${down.map(line => `<li>${line}</li>`).join('')}</ul>`,
  ]
    .filter(part => part)
    .join('')
}

function noticeHtml(notice: Notice): string {
  const link = `<a href="${escapeHtml(notice.url)}"><b>${escapeHtml(noticeTitle(notice))}</b></a>`
  return paragraph([link]) + paragraph(noticeText(notice, htmlNotice).split('\n')) + answerHtml(notice)
}

function answerHtml({ acknowledgeUrl: url }: Answerable): string {
  return url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${ANSWER_LABEL}</a></p>`
}

function paragraph(lines: string[]): string {
  const text = lines.join('<br>')
  return text === '' ? '' : `<p>${text}</p>`
}
