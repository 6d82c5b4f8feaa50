// Writes a page with the messages of every kind of channel, sent by the code that sends the real ones.

const PAGE = 'docs/messages.md'

/** The moment at which the samples are sent. */
const SENT_AT = Date.parse('2026-03-05T12:00:00Z')

const SITUATIONS = {
  'down-late': 'A ping did not come',
  'down-failed': 'A job failed',
  up: 'The check is up again',
  test: 'A test',
  'notice-many': 'Many checks at once',
}

/** The page by its path. `sampleMessages`: from src/http/web/dev/sample-messages.ts. */
export async function messagePages(sampleMessages) {
  const root = 'https://punctual.example'
  const clock = { now: () => SENT_AT }
  const delivery = {
    site: { name: 'Punctual', root },
    links: { siteRoot: root, pingEndpoint: `${root}/ping/` },
  }
  const kinds = await sampleMessages({ delivery, clock }, Object.keys(SITUATIONS))
  const blocks = [
    '# Messages',
    'What every kind of integration sends: the request, and a line for each value of its body. This page is generated; ' +
      'with `DEBUG`, `/dev/messages/` shows more situations side by side.',
    ...kinds.flatMap(({ kind, label, messages }) => [
      `## ${label}`,
      `How to set it up: [${label}](integrations/${kind}.md).`,
      ...messages.flatMap(({ situation, text }) => [`**${SITUATIONS[situation]}**`, fenced(text)]),
    ]),
  ]
  return new Map([[PAGE, `${blocks.join('\n\n')}\n`]])
}

function fenced(text) {
  return `\`\`\`\`text\n${text.replace(/[ \t]+$/gm, '')}\n\`\`\`\``
}
